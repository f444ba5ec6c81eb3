# QPID-LOG-3: When an overfull queue becomes underfull, and only then, the broker SHOULD log `QUE-1004 : Underfull : Size : SIZE bytes, Resume Capacity : RESUME`.
#
# check     a_queue_that_becomes_underfull_is_logged_with_its_size_and_resume_level
# done      Given a queue "MyQueue" with a capacity of 1000 bytes and a resume level of 800 bytes
#           Given a producer was stopped by messages of 600 and 600 bytes
#           When the first message is consumed
#           Then the log says "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"
# expected  'QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : 160,000' 1 times
# seen      it 0 times, and of QUE-1004: ['QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : 160,000, Messages : 1, Message Capacity : -1'], on Qpid 9.2.1
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
    capacity = int(at['maximumQueueDepthBytes'])
    percent = float(at["context"]['queue.queueFlowResumeLimit'])
    resume = math.ceil(percent / 100 * capacity) if capacity >= 0 else -1
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
    declare('MyQueue', {'x-qpid-capacity': 200000, 'qpid.policy_type': 'producer_flow_control', 'x-qpid-flow-resume-capacity': 160000})
    attach_producer('producer', 'producer', True)
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    send('producer', ('', 'MyQueue'), 'm000001', 119941, recorded='accepted')
    depth('MyQueue', recorded='120000 bytes in 1 messages')
    standing('producer', recorded='free')
    send('producer', ('', 'MyQueue'), 'm000002', 119941, recorded='accepted')
    depth('MyQueue', recorded='240000 bytes in 2 messages')
    standing('producer', recorded='stopped')
    attach_consumer('consumer-of-MyQueue', 'consumer-of-MyQueue', 'MyQueue')
    take('consumer-of-MyQueue', recorded='m000001')
    acknowledge('consumer-of-MyQueue', 'm000001')
    depth('MyQueue', recorded='120000 bytes in 1 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='m000002')
    acknowledge('consumer-of-MyQueue', 'm000002')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='nothing')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='nothing')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    send('producer', ('', 'MyQueue'), 'm000003', 19941, recorded='accepted')
    depth('MyQueue', recorded='20000 bytes in 1 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='m000003')
    acknowledge('consumer-of-MyQueue', 'm000003')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='nothing')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-MyQueue', recorded='nothing')
    depth('MyQueue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
finally:
    for queue in queues.values():
        admin.queue_delete(queue)
    for exchange in exchanges:
        admin.exchange_delete(exchange)
    for connection in connections.values():
        connection.close()
if not otherwise:
    print("violated again: expected 'QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : 160,000' 1 times")
    print("                    seen it 0 times, and of QUE-1004: ['QUE-1004 : Underfull : Size : 120,000 bytes, Resume Capacity : 160,000, Messages : 1, Message Capacity : -1']")
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers")
sys.exit(1 if otherwise else 0)
