# QPID-CLIENT-9: A client SHOULD warn of a send that waits after each full period of `qpid.flow_control_wait_notify_period`, and no more once the send fails.
#
# check     a_client_whose_period_is_longer_than_its_sends_wait_says_nothing
# done      Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
#           And a producer whose client waits 2000 ms and says so every 5000 ms
#           And the producer sent a message of 1001 bytes
#           When the producer tries to send a message of 10 bytes
#           And 10000 ms pass
#           Then its client has said 0 times that it waits
# expected  0 notices
# seen      1 notices, on Qpid 6.1.7
#
# Repeats the check and compares each answer with the one recorded. It needs pika, and a broker with AMQP 0-9-1.
# It also needs JPype1, and the folder QPID_CLIENT with the jars of the broker's JMS client, such as
# org.apache.qpid:qpid-client:0.18, org.apache.geronimo.specs:geronimo-jms_1.1_spec:1.1.1, org.slf4j:slf4j-log4j12:1.6.4.
#
# Usage: QPID_CLIENT=FOLDER python THIS_FILE [amqp://USER:PASSWORD@HOST:PORT/VIRTUALHOST] [http://USER:PASSWORD@HOST:PORT]
# The second is the broker's management by REST: http://guest:guest@127.0.0.1:8080 unless it is given. By it the script
# reads figures, changes limits, and sets the defaults of the virtual host and takes them back.
# Exit code 0: all as recorded; 1: something was otherwise; 2: it cannot be repeated with pika.
import os
import socket
import sys
import time

import pika
import glob
import threading
from urllib.parse import urlsplit

import jpype
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
    if isinstance(sender, JmsProducer):
        answer = sender.send(message_id, body_bytes)
        compare(f"send {message_id} with {body_bytes} bytes of body from {producer} by JMS", answer, recorded)
        return
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
    # the older broker hands out what came by AMQP 0-10 to subscriptions only
    channel.basic_qos(prefetch_count=1 + sum(name == consumer for name, _ in taken))
    method, properties, _ = next(channel.consume(queue, inactivity_timeout=PATIENCE))
    channel.cancel()
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
        if isinstance(producers[producer], JmsProducer):
            return "stopped" if producers[producer].is_stopped() else "free"
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


class JmsProducer:
    """A session of the broker's own JMS client; each call has a thread, since it may wait."""

    AT_ONCE = 0.5  # seconds; a call that takes longer counts as one that waits

    def __init__(self, connection, route, transacted, persistent):
        self.session = connection.createSession(transacted, 1)
        exchange, key = (name and PREFIX + name for name in route)
        self.producer = self.session.createProducer(self.session.createQueue(f"BURL:direct://{exchange}//{key}"))
        self.producer.setDeliveryMode(2 if persistent else 1)
        self.producer.setDisableMessageID(True)
        self.transacted, self.call, self.sending, self.began = transacted, None, None, 0.0

    def send(self, message_id, body_bytes):
        if self.call is not None and self.call.is_alive():
            return "blocked"

        def put():
            message = self.session.createBytesMessage()
            message.writeBytes(jpype.JArray(jpype.JByte)(body_bytes))
            message.setJMSCorrelationID(message_id)
            self.producer.send(message)

        ended = self.begin(put, message_id)
        return "unsettled" if ended is None or (self.transacted and ended == "accepted") else ended

    def begin(self, call, message_id=None):
        self.ended, self.sending, self.began = None, message_id, time.monotonic()

        def run():
            try:
                call()
                self.ended = "accepted"
            except jpype.JException as error:
                self.ended = "rejected"
                print(f"    after {time.monotonic() - self.began:.1f} s: {error}")

        self.call = threading.Thread(target=run, daemon=True)
        self.call.start()
        self.call.join(self.AT_ONCE)
        return self.ended

    def is_stopped(self):
        if self.call is not None and self.call.is_alive():
            return True
        self.session.sync()
        return bool(self.session.isFlowBlocked())


def attach_jms_producer(producer, connection, route, times, transacted, persistent):
    if not jpype.isJVMStarted():
        names = ("qpid.flow_control_wait_failure", "qpid.flow_control_wait_notify_period")
        wait = [f"-D{name}={ms}" for name, ms in zip(names, times) if ms is not None]
        jars = glob.glob(os.path.join(os.environ["QPID_CLIENT"], "*.jar"))
        jpype.startJVM(*wait, "-Dlog4j.defaultInitOverride=true", classpath=jars, convertStrings=True)
        # its warnings go to the terminal
        layout = jpype.JClass("org.apache.log4j.PatternLayout")("%d{ISO8601} %-5p (%c{2}) - %m%n")
        jpype.JClass("org.apache.log4j.BasicConfigurator").configure(jpype.JClass("org.apache.log4j.ConsoleAppender")(layout))
        jpype.JClass("org.apache.log4j.Logger").getRootLogger().setLevel(jpype.JClass("org.apache.log4j.Level").WARN)
        attach_jms_producer.times = times
    if attach_jms_producer.times != times:
        not_by_pika("clients with other times in one virtual machine")
    if ("jms", connection) not in jms_connections:
        at = urlsplit(BROKER)
        options = f"brokerlist='tcp://{at.hostname}:{at.port}'&sync_publish='all'"
        url = f"amqp://{at.username}:{at.password}@probe{at.path}?{options}"
        jms_connections["jms", connection] = jpype.JClass("org.apache.qpid.client.AMQConnectionFactory")(url).createConnection()
    producers[producer] = JmsProducer(jms_connections["jms", connection], route, transacted, persistent)
    print("attach JMS producer", producer, "which waits", times[0], "ms and says so every", times[1], "ms")


def came_back(producer, settled):
    sender = producers[producer]
    sender.call.join(5 * PATIENCE)
    for message_id, outcome in settled:
        compare(f"the send of {message_id} by then", sender.ended, outcome)


def warned(producer, texts):
    print(f"the client's log said by then, when this was recorded: {texts}; see above for what it says now")


def commit(producer, recorded):
    compare(f"commit of {producer}", producers[producer].begin(producers[producer].session.commit), recorded)


def rollback(producer, recorded):
    compare(f"rollback of {producer}", "done" if producers[producer].begin(producers[producer].session.rollback) else "", recorded)


def client_state(producer, recorded):
    session = producers[producer].session
    words = {"connected": True, "session open": not session.isClosed(), "transacted": producers[producer].transacted}
    compare(f"client of {producer}", ", ".join(word for word, so in words.items() if so), recorded)


jms_connections = {}


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
    declare('queue', {'x-qpid-capacity': 1000, 'qpid.policy_type': 'producer_flow_control', 'x-qpid-flow-resume-capacity': 800})
    attach_jms_producer('producer', 'producer', ('', 'queue'), (2000, 5000), False, False)
    depth('queue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    send('producer', ('', 'queue'), 'm000001', 1001, recorded='accepted')
    depth('queue', recorded='1001 bytes in 1 messages')
    standing('producer', recorded='stopped')
    send('producer', ('', 'queue'), 'm000002', 10, recorded='unsettled')
    depth('queue', recorded='1001 bytes in 1 messages')
    standing('producer', recorded='stopped')
    pass_time(9.973)
    warned('producer', ['Message send delayed by 2s due to broker enforced flow control'])
    depth('queue', recorded='1001 bytes in 1 messages')
    attach_consumer('consumer-of-queue', 'consumer-of-queue', 'queue')
    take('consumer-of-queue', recorded='m000001')
    acknowledge('consumer-of-queue', 'm000001')
    depth('queue', recorded='0 bytes in 0 messages')
    came_back('producer', [('m000002', 'rejected')])
    depth('queue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-queue', recorded='nothing')
    depth('queue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    take('consumer-of-queue', recorded='nothing')
    depth('queue', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
finally:
    for queue in queues.values():
        admin.queue_delete(queue)
    for exchange in exchanges:
        admin.exchange_delete(exchange)
    for connection in connections.values():
        connection.close()
    for sender in producers.values():
        if isinstance(sender, JmsProducer) and sender.call is not None and sender.call.is_alive():
            os._exit(1 if otherwise else 0)  # a send that waits still
if not otherwise:
    print('violated again: expected 0 notices')
    print('                    seen 1 notices')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers")
sys.exit(1 if otherwise else 0)
