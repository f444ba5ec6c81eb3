# QPID-QUEUE-2: Once a queue is overfull, the broker MUST NOT treat it as underfull until it holds fewer bytes than its resume level.
#
# check     random_sends_and_removals_through_the_queue_gate
# done      destination: capacity 1,000 (lower level 800)
#           first attaches to destination: destination holds 0 bytes in 0 messages, first is free
#           second attaches to destination: destination holds 0 bytes in 0 messages, first is free, second is free
#           third attaches to destination: destination holds 0 bytes in 0 messages, first is free, second is free, third is free
#           first sends a message of 400 bytes to destination, accepted (3 times): destination holds 1,200 bytes in 3 messages, first is stopped, second is free, third is free
#           second sends a message of 400 bytes to destination, accepted: destination holds 1,600 bytes in 4 messages, second is stopped, first is stopped, third is free
#           third sends a message of 400 bytes to destination, accepted: destination holds 2,000 bytes in 5 messages, third is stopped, first is stopped, second is stopped
#           a message of destination is consumed (3 times): destination holds 800 bytes in 2 messages, first is free, second is free, third is free
# expected  after a removal a channel that the queue holds is still stopped
# seen      first is free, and destination holds 800 bytes in 2 messages, on Qpid 6.1.7
#
# Repeats the check and compares each answer with the one recorded. It needs pika, and a broker with AMQP 0-9-1.
#
# Usage: python THIS_FILE [amqp://USER:PASSWORD@HOST:PORT/VIRTUALHOST] [http://USER:PASSWORD@HOST:PORT]
# The second is the broker's management by REST: http://guest:guest@127.0.0.1:8080 unless it is given. By it the script
# reads figures, changes limits, and sets the defaults of the virtual host and takes them back.
# Exit code 0: all as recorded; 1: something was otherwise; 2: it cannot be repeated with pika.
import os
import socket
import sys
import time

import pika
import base64
import json
import math
import urllib.request
from urllib.parse import urlsplit

MANAGEMENT = sys.argv[2] if len(sys.argv) > 2 else "http://guest:guest@127.0.0.1:8080"
BROKER = sys.argv[1] if len(sys.argv) > 1 else "amqp://guest:guest@127.0.0.1:5672/test"
PREFIX = f"probe-{os.getpid():07}."  # always as long: the broker charges messages for the names of their route
PATIENCE = 2.0  # seconds within which a recorded answer must come again

connections, producers, consumers, taken, queues, exchanges = {}, {}, {}, {}, {}, []
otherwise = 0


class Producer:
    """A client that notes orders to stop and to go on; it obeys them where it did when this was recorded."""

    def __init__(self, channel, obeys, persistent):
        self.channel, self.obeys, self.stopped, self.mode = channel, obeys, False, 2 if persistent else 1
        # pika hands these orders to nobody by its blocking interface
        channel._impl.add_on_flow_callback(self.ordered)

    def ordered(self, frame):
        self.stopped = not frame.method.active


def connected(name):
    if name not in connections:
        connections[name] = pika.BlockingConnection(pika.URLParameters(BROKER))
    return connections[name]


def handled(channel):
    """All that was put on the channel before is handled by the broker, and its orders were seen."""
    for _ in range(2):
        channel.exchange_declare("amq.direct", passive=True)


def declare(queue, arguments):
    admin.queue_declare(PREFIX + queue, arguments=arguments)
    queues[queue] = PREFIX + queue
    print("declare", queue, arguments or "nothing configured")


def declare_topic(topic, arguments):
    declare(topic, arguments)
    declare_exchange(topic, "topic", [topic])


def declare_exchange(exchange, kind, bound):
    admin.exchange_declare(PREFIX + exchange, kind)
    exchanges.append(PREFIX + exchange)
    for queue in bound:
        admin.queue_bind(PREFIX + queue, PREFIX + exchange, "#")


def attach_producer(producer, connection, obeys, bound=(), persistent=False):
    if bound:
        declare_exchange(producer, "fanout", bound)
    producers[producer] = Producer(connected(connection).channel(), obeys, persistent)
    print("attach producer", producer, *(["to", *bound] if bound else []))


def attach_consumer(consumer, connection, queue):
    consumers[consumer] = connected(connection).channel(), PREFIX + queue
    print("attach consumer", consumer, "to", queue)


def send(producer, route, message_id, body_bytes, recorded=None):
    sender = producers[producer]
    handled(sender.channel)
    if sender.stopped and sender.obeys:
        answer = "blocked"
    else:
        answer = publish(sender, route, message_id, body_bytes)
    compare(f"send {message_id} with {body_bytes} bytes of body from {producer}", answer, recorded)


def publish(sender, route, message_id, body_bytes):
    channel = sender.channel
    try:
        exchange, key = (name and PREFIX + name for name in route)
        properties = pika.BasicProperties(message_id=message_id, delivery_mode=sender.mode)
        channel.basic_publish(exchange, key, bytes(body_bytes), properties)
        handled(channel)
    except pika.exceptions.ChannelClosed:
        return "rejected"
    return "accepted"


def take(consumer, recorded=None):
    channel, queue = consumers[consumer]
    method, properties, _ = channel.basic_get(queue)
    if method is None:
        compare(f"take from {consumer}", "nothing", recorded)
    else:
        message_id = properties.message_id or properties.correlation_id
        taken[consumer, message_id] = method.delivery_tag
        compare(f"take from {consumer}", message_id, recorded)


def acknowledge(consumer, message_id):
    channel, _ = consumers[consumer]
    if (consumer, message_id) in taken:
        channel.basic_ack(taken.pop((consumer, message_id)))
        handled(channel)
    print("acknowledge", message_id, "from", consumer)


def standing(producer, recorded=None):
    def look():
        handled(producers[producer].channel)
        return "stopped" if producers[producer].stopped else "free"

    compare(f"producer {producer}", until(look, recorded), recorded)


def depth(queue, recorded):
    def look():
        at = by_rest("GET", "queue", queue, "/getStatistics?statistics=queueDepthBytes&statistics=queueDepthMessages")
        return f"{at['queueDepthBytes']} bytes in {at['queueDepthMessages']} messages"

    compare(f"queue {queue}", until(look, recorded), recorded)


def limits(queue, recorded):
    at = by_rest("GET", "queue", queue, "?excludeInheritedContext=false")
    capacity = int(at['queueFlowControlSizeBytes'])
    resume = int(at['queueFlowResumeSizeBytes'])
    compare(f"limits of {queue}", f"a capacity of {capacity} bytes and a resume level of {resume} bytes", recorded)


def change(queue, attributes):
    by_rest("POST", "queue", queue, attributes=attributes)
    print("change", queue, {name: value for name, value in attributes.items() if value is not None})


def purge(queue):
    admin.queue_purge(PREFIX + queue)
    print("purge", queue)


def close_producer(producer):
    gone = producers.pop(producer)
    (gone.session if hasattr(gone, "session") else gone.channel).close()
    print("close producer", producer)


def close_consumer(consumer):
    consumers.pop(consumer)[0].close()
    print("close consumer", consumer)


def kill(connection):
    # pika has no public way to end a connection without a word
    connections.pop(connection)._impl._transport._sock.shutdown(socket.SHUT_RDWR)
    print("kill", connection)


def pass_time(seconds):
    print(f"{seconds} s pass")
    time.sleep(seconds)


def by_rest(method, kind, queue="", further="", attributes=None):
    """What management answers about a queue, or about the virtual host."""
    at, host = urlsplit(MANAGEMENT), urlsplit(BROKER).path.strip("/")
    secret = base64.b64encode(f"{at.username}:{at.password}".encode()).decode()
    headers = {"Authorization": f"Basic {secret}", "Content-Type": "application/json"}
    path = f"{kind}/{host}/{host}" + (f"/{PREFIX}{queue}" if queue else "")
    url = f"{at.scheme}://{at.hostname}:{at.port}/api/latest/{path}{further}"
    body = None if attributes is None else json.dumps(attributes).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method)) as answer:
        found = json.loads(answer.read() or "null")
    return found[0] if isinstance(found, list) else found


def set_defaults(what, context):
    by_rest("POST", "virtualhost", attributes={"context": context})
    print("by REST,", what)


def not_by_pika(what):
    print("this cannot be repeated with pika:", what)
    sys.exit(2)


def until(look, recorded):
    # once something was otherwise, the rest will hardly be as recorded: it is shown without waiting for it
    deadline = time.monotonic() + (PATIENCE if not otherwise else 0.1)
    while (answer := look()) != recorded and time.monotonic() < deadline:
        pass
    return answer


def compare(what, answer, recorded):
    global otherwise
    same = answer == recorded
    otherwise += not same
    print(f"{what}: {answer}" + ("" if same else f"    OTHERWISE: {recorded} was recorded"))


admin = connected("admin").channel()
try:
    declare('destination', {'x-qpid-capacity': 1000, 'qpid.policy_type': 'producer_flow_control', 'x-qpid-flow-resume-capacity': 800})
    attach_producer('first', 'first', True)
    depth('destination', recorded='0 bytes in 0 messages')
    standing('first', recorded='free')
    attach_producer('second', 'second', True)
    depth('destination', recorded='0 bytes in 0 messages')
    standing('second', recorded='free')
    standing('first', recorded='free')
    attach_producer('third', 'third', True)
    depth('destination', recorded='0 bytes in 0 messages')
    standing('third', recorded='free')
    standing('first', recorded='free')
    standing('second', recorded='free')
    send('first', ('', 'destination'), 'm000001', 400, recorded='accepted')
    depth('destination', recorded='400 bytes in 1 messages')
    standing('first', recorded='free')
    standing('second', recorded='free')
    standing('third', recorded='free')
    send('first', ('', 'destination'), 'm000002', 400, recorded='accepted')
    depth('destination', recorded='800 bytes in 2 messages')
    standing('first', recorded='free')
    standing('second', recorded='free')
    standing('third', recorded='free')
    send('first', ('', 'destination'), 'm000003', 400, recorded='accepted')
    depth('destination', recorded='1200 bytes in 3 messages')
    standing('first', recorded='stopped')
    standing('second', recorded='free')
    standing('third', recorded='free')
    send('second', ('', 'destination'), 'm000004', 400, recorded='accepted')
    depth('destination', recorded='1600 bytes in 4 messages')
    standing('first', recorded='stopped')
    standing('second', recorded='stopped')
    standing('third', recorded='free')
    send('third', ('', 'destination'), 'm000005', 400, recorded='accepted')
    depth('destination', recorded='2000 bytes in 5 messages')
    standing('first', recorded='stopped')
    standing('second', recorded='stopped')
    standing('third', recorded='stopped')
    attach_consumer('consumer 1', 'consumer 1', 'destination')
    take('consumer 1', recorded='m000001')
    acknowledge('consumer 1', 'm000001')
    depth('destination', recorded='1600 bytes in 4 messages')
    standing('first', recorded='stopped')
    standing('second', recorded='stopped')
    standing('third', recorded='stopped')
    take('consumer 1', recorded='m000002')
    acknowledge('consumer 1', 'm000002')
    depth('destination', recorded='1200 bytes in 3 messages')
    standing('first', recorded='stopped')
    standing('second', recorded='stopped')
    standing('third', recorded='stopped')
    take('consumer 1', recorded='m000003')
    acknowledge('consumer 1', 'm000003')
    depth('destination', recorded='800 bytes in 2 messages')
    standing('first', recorded='free')
    standing('second', recorded='free')
    standing('third', recorded='free')
finally:
    for queue in queues.values():
        admin.queue_delete(queue)
    for exchange in exchanges:
        admin.exchange_delete(exchange)
    for connection in connections.values():
        connection.close()
if not otherwise:
    print('violated again: expected after a removal a channel that the queue holds is still stopped')
    print('                    seen first is free, and destination holds 800 bytes in 2 messages')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers")
sys.exit(1 if otherwise else 0)
