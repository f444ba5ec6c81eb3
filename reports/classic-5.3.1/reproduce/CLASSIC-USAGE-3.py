# CLASSIC-USAGE-3: A full store MUST NOT hold back non-persistent messages, nor full temporary space persistent ones.
#
# check     a_full_store_does_not_hold_back_messages_that_are_not_persistent
# done      Given a broker with a store limit of 2000 bytes
#           And a queue that keeps waiting messages in a file
#           And a producer of persistent messages
#           When it sends messages of 100 bytes until one waits
#           And another producer sends a message of 10 bytes
#           Then the other producer is free
# expected  the other producer free at 1,900 bytes (really 2,280,000)
# seen      the other producer stopped at 1,900 bytes (really 2,280,000), on ActiveMQ Classic 5.3.1
#
# Repeats the check and compares each answer with the one recorded. It needs JPype1, a folder with the jars of the
# client (activemq-client and what it needs, or activemq-all), and a broker that was just started with an OpenWire
# connector and this in its configuration:
#
#   <destinationPolicy><policyMap><policyEntries>
#     <policyEntry queue="queue" ></policyEntry>
#   </policyEntries></policyMap></destinationPolicy>
#   <systemUsage><systemUsage>
#     <storeUsage><storeUsage limit="2400000"/></storeUsage>
#   </systemUsage></systemUsage>
#
# Usage: python THIS_FILE FOLDER_OF_JARS [HOST:PORT]. Exit code 0: all as recorded; 1: something was otherwise.
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path

import jpype

JARS = [str(jar) for jar in Path(sys.argv[1]).glob("*.jar")]
BROKER = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1:61616"
PATIENCE = 2.0  # seconds until what was recorded must be seen again, and for which a call must go on waiting

jpype.startJVM(classpath=JARS, convertStrings=True)
Queue, Topic = (jpype.JClass(f"org.apache.activemq.command.ActiveMQ{kind}") for kind in ("Queue", "Topic"))
factory = jpype.JClass("org.apache.activemq.ActiveMQConnectionFactory")(
    f"tcp://{BROKER}?jms.prefetchPolicy.all=0&jms.watchTopicAdvisories=false&jms.closeTimeout=5000"
)
connections, producers, consumers, taken = {}, {}, {}, {}
otherwise = 0


class Producer:
    def __init__(self, session, producer):
        self.session, self.producer = session, producer
        self.thread, self.call, self.message = ThreadPoolExecutor(1), None, None
        self.answered = False  # whether the send that returned last waited for an answer

    def begin(self, call, message=None):
        self.message = message
        self.call = self.thread.submit(call)

    def ended(self, seconds):
        """None while the call waits, else what it raised, or the empty text."""
        try:
            self.call.result(seconds)
        except NotYet:
            return None
        except jpype.JException as error:
            return str(error)
        return ""


def connect(name):
    if name not in connections:
        connections[name] = factory.createConnection()
        connections[name].setCopyMessageOnSend(False)  # so a message shows whether an answer was asked for
        connections[name].start()
    return connections[name]


def attach_producer(name, connection, destination, topic, asynchronous, window, transacted, persistent):
    line = connect(connection)
    line.setProducerWindowSize(window)
    session = line.createSession(transacted, 1)
    producer = session.createProducer((Topic if topic else Queue)(destination))
    producer.setDeliveryMode(2 if persistent else 1)
    producers[name] = Producer(session, producer)
    producers[name].line, producers[name].asynchronous, producers[name].transacted = line, asynchronous, transacted
    beside = [each for each in producers.values() if each.line is line]
    ways = {each.asynchronous for each in beside}  # None is left to the client
    line.setAlwaysSyncSend(ways == {False})
    line.setUseAsyncSend(True in ways)
    for each in beside:
        if each.asynchronous is False and len(ways) > 1:  # makes this producer alone wait for answers
            each.producer.setSendTimeout(24 * 60 * 60 * 1000)
    print("attach producer", name, "to", destination)


def subscribe(topic):
    session = connect(f"subscription-{topic}").createSession(False, 4)
    consumers[f"subscription-{topic}"] = session.createConsumer(Topic(topic))


def attach_consumer(name, connection, destination, topic):
    if topic:
        consumers[name] = consumers[f"subscription-{destination}"]
        connections.setdefault(connection, connections[f"subscription-{destination}"])
    else:
        consumers[name] = connect(connection).createSession(False, 4).createConsumer(Queue(destination))
    print("attach consumer", name, "to", destination)


def send(name, message_id, body_bytes, recorded):
    sender = producers[name]

    def call():
        message = sender.session.createBytesMessage()
        message.writeBytes(jpype.JArray(jpype.JByte)(body_bytes))
        message.setJMSCorrelationID(message_id)
        sender.producer.send(message)
        sender.answered = message.isResponseRequired()

    sender.begin(call, message_id)
    raised = sender.ended(PATIENCE)
    returned = "unsettled" if sender.transacted else "sent" if not sender.answered else "accepted"
    answer = "unsettled" if raised is None else "rejected" if raised else returned
    compare(f"send {message_id}, {body_bytes} bytes of body, from {name}", answer, recorded, raised)


def commit(name):
    end_transaction(name, "commit", producers[name].session.commit)


def rollback(name):
    end_transaction(name, "rollback", producers[name].session.rollback)


def end_transaction(name, what, call):
    producers[name].begin(call)
    raised = producers[name].ended(PATIENCE)
    print(what, name, "still waits" if raised is None else raised)


def came_back(name, recorded):
    raised = producers[name].ended(PATIENCE)
    answer = "still waits" if raised is None else raised.partition(":")[0] or "returned"
    compare(f"the waiting call of {name}", answer, recorded[-1][1] or "returned", raised)


def standing(name, recorded):
    waits = producers[name].call is not None and producers[name].ended(0 if recorded == "waits" else PATIENCE) is None
    compare(f"producer {name}", "waits" if waits else "free", recorded)


def take(name, recorded):
    message = consumers[name].receive(int(PATIENCE * 1000)) if recorded else consumers[name].receiveNoWait()
    answer = message and str(message.getJMSCorrelationID())
    taken[name, answer] = message
    compare(f"take from {name}", answer, recorded)


def acknowledge(name, message_id):
    message = taken.pop((name, message_id), None)
    if message is not None:
        message.acknowledge()
    print("acknowledge", message_id, "from", name)


def close_producer(name):
    sender = producers.pop(name)
    sender.producer.close()
    sender.session.close()
    print("close producer", name)


def close_consumer(name):
    consumers.pop(name).close()
    print("close consumer", name)


def kill(connection):
    connections.pop(connection).getTransport().narrow(jpype.JClass("java.net.Socket")).close()
    print("kill connection", connection)


def by_hand(what):
    input(f"Please {what} by the management of the broker, then press Enter: ")


def compare(what, answer, recorded, raised=None):
    global otherwise
    same = answer == recorded
    otherwise += not same
    reason = f" ({raised})" if raised else ""
    print(f"{what}: {answer}{reason}" + ("" if same else f"    OTHERWISE: {recorded} was recorded"))


attach_producer('producer', 'producer', 'queue', False, False, 0, False, True)
# queue: 0 bytes in 0 messages
standing('producer', recorded='free')
send('producer', 'm1', 118976, recorded='accepted')
# queue: 120000 bytes in 1 messages
send('producer', 'm2', 118976, recorded='accepted')
# queue: 240000 bytes in 2 messages
send('producer', 'm3', 118976, recorded='accepted')
# queue: 360000 bytes in 3 messages
send('producer', 'm4', 118976, recorded='accepted')
# queue: 480000 bytes in 4 messages
send('producer', 'm5', 118976, recorded='accepted')
# queue: 600000 bytes in 5 messages
send('producer', 'm6', 118976, recorded='accepted')
# queue: 720000 bytes in 6 messages
send('producer', 'm7', 118976, recorded='accepted')
# queue: 840000 bytes in 7 messages
send('producer', 'm8', 118976, recorded='accepted')
# queue: 960000 bytes in 8 messages
send('producer', 'm9', 118976, recorded='accepted')
# queue: 1080000 bytes in 9 messages
send('producer', 'm10', 118976, recorded='accepted')
# queue: 1200000 bytes in 10 messages
send('producer', 'm11', 118976, recorded='accepted')
# queue: 1320000 bytes in 11 messages
send('producer', 'm12', 118976, recorded='accepted')
# queue: 1440000 bytes in 12 messages
send('producer', 'm13', 118976, recorded='accepted')
# queue: 1560000 bytes in 13 messages
send('producer', 'm14', 118976, recorded='accepted')
# queue: 1680000 bytes in 14 messages
send('producer', 'm15', 118976, recorded='accepted')
# queue: 1800000 bytes in 15 messages
send('producer', 'm16', 118976, recorded='accepted')
# queue: 1920000 bytes in 16 messages
send('producer', 'm17', 118976, recorded='accepted')
# queue: 2040000 bytes in 17 messages
send('producer', 'm18', 118976, recorded='accepted')
# queue: 2160000 bytes in 18 messages
send('producer', 'm19', 118976, recorded='accepted')
# queue: 2280000 bytes in 19 messages
send('producer', 'm20', 118976, recorded='unsettled')
standing('producer', recorded='waits')
attach_producer('other producer', 'other producer', 'queue', False, False, 0, False, False)
standing('other producer', recorded='free')
send('other producer', 'm21', 10976, recorded='unsettled')
standing('other producer', recorded='waits')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers", flush=True)
os._exit(1 if otherwise else 0)  # calls that wait for the broker must not keep the script
