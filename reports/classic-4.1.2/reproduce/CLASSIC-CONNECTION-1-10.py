# CLASSIC-CONNECTION-1: Before 5.0, the broker MUST read nothing more from a connection over which it was sent a message to a full destination, until that message is stored.
#
# check     before_50_a_full_queue_suspends_the_whole_connection_of_its_sender[10]
# done      Given a queue "full" with a memory limit of 1000 bytes
#           And a queue "empty" with a memory limit of 1000 bytes
#           And "full" holds a message of 1000 bytes
#           And a producer on "line" that sends to "full"
#           And another producer on "line" that sends to "empty"
#           When the producer sends a message of 10 bytes
#           And the other producer sends a message of 10 bytes
#           Then the producer is stopped
#           And the other producer is stopped
# expected  the other producer stopped at 1,000 bytes (really 1,200,000)
# seen      the other producer free at 1,000 bytes (really 1,200,000), on ActiveMQ Classic 4.1.2
#
# Repeats the check and compares each answer with the one recorded. It needs JPype1, a folder with the jars of the
# client (activemq-client and what it needs, or activemq-all), and a broker that was just started with an OpenWire
# connector and this in its configuration:
#
#   <destinationPolicy><policyMap><policyEntries>
#     <policyEntry queue="full" memoryLimit="1200000"></policyEntry>
#     <policyEntry queue="empty" memoryLimit="1200000"></policyEntry>
#   </policyEntries></policyMap></destinationPolicy>
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
CLIENT_ACKNOWLEDGE = 2
MessageAck, TcpTransport = (
    jpype.JClass(f"org.apache.activemq.{name}") for name in ("command.MessageAck", "transport.tcp.TcpTransport")
)
lines = {}  # by consumer its connection
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
    session = line.createSession(transacted, 1)
    producer = session.createProducer((Topic if topic else Queue)(destination))
    producer.setDeliveryMode(2 if persistent else 1)
    producers[name] = Producer(session, producer)
    producers[name].line, producers[name].asynchronous, producers[name].transacted = line, asynchronous, transacted
    line.setUseSyncSend(not asynchronous)
    line.setUseAsyncSend(asynchronous)
    print("attach producer", name, "to", destination)


def attach_consumer(name, connection, destination, topic):
    lines[name] = connect(connection)
    consumers[name] = lines[name].createSession(False, CLIENT_ACKNOWLEDGE).createConsumer(Queue(destination))
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
        ack = MessageAck()  # the client itself would acknowledge all that its session was handed
        ack.setConsumerId(hidden(consumers[name], "info").getConsumerId())
        ack.setDestination(message.getDestination())
        ack.setMessageID(message.getMessageId())
        ack.setMessageCount(1)
        ack.setAckType(MessageAck.STANDARD_ACK_TYPE)
        lines[name].asyncSendPacket(ack)
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
    hidden(connections.pop(connection).getTransportChannel().narrow(TcpTransport), "socket").close()
    print("kill connection", connection)


def hidden(holder, name):
    field = holder.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(holder)


def by_hand(what):
    input(f"Please {what} by the management of the broker, then press Enter: ")


def compare(what, answer, recorded, raised=None):
    global otherwise
    same = answer == recorded
    otherwise += not same
    reason = f" ({raised})" if raised else ""
    print(f"{what}: {answer}{reason}" + ("" if same else f"    OTHERWISE: {recorded} was recorded"))


attach_producer('producer of full', 'producer of full', 'full', False, False, 0, False, False)
# full: 0 bytes in 0 messages
standing('producer of full', recorded='free')
send('producer of full', 'm1', 599700, recorded='accepted')
# full: 1200000 bytes in 1 messages
attach_producer('producer', 'line', 'full', False, False, 0, False, False)
standing('producer', recorded='free')
attach_producer('other producer', 'line', 'empty', False, False, 0, False, False)
# empty: 0 bytes in 0 messages
standing('other producer', recorded='free')
send('producer', 'm2', 5700, recorded='unsettled')
standing('producer', recorded='waits')
send('other producer', 'm3', 5700, recorded='accepted')
# empty: 12000 bytes in 1 messages
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers", flush=True)
os._exit(1 if otherwise else 0)  # calls that wait for the broker must not keep the script
