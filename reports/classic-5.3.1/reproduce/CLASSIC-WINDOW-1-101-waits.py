# CLASSIC-WINDOW-1: A producer with a window MUST NOT have more bytes of messages without an answer than its window.
#
# check     a_producer_sends_no_more_bytes_without_an_answer_than_its_window_has[101-waits]
# done      Given a queue with a memory limit of 1000 bytes
#           And the queue holds a message of 1000 bytes
#           And an asynchronous producer with a window of 500 bytes
#           When the producer sends 1 further messages of 400 bytes
#           And the producer sends 1 further messages of 101 bytes
#           Then its send waits
# expected  a send that waits
# seen      it was sent, on ActiveMQ Classic 5.3.1
#
# Repeats the check on a broker that it starts and configures itself, and compares each answer with the one recorded.
# It needs JPype1, and a folder with the jars of broker and client and what these need.
#
# Usage: python THIS_FILE FOLDER_OF_JARS. Exit code 0: all as recorded; 1: something was otherwise.
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path

import jpype

JARS = [str(jar) for jar in Path(sys.argv[1]).glob("*.jar")]
DATA = tempfile.mkdtemp()  # what the broker keeps on disk
PATIENCE = 2.0  # seconds within which a recorded answer must come again, and for which a call must go on waiting

jpype.startJVM(classpath=JARS, convertStrings=True)


def activemq(name):
    return jpype.JClass(f"org.apache.activemq.{name}")


Queue, Topic = (activemq(f"command.ActiveMQ{kind}") for kind in ("Queue", "Topic"))
service = activemq("broker.BrokerService")()
policies = activemq("broker.region.policy.PolicyMap")()
factory, limits_at_start, destinations = None, {}, {}
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
        """None while the call waits, the error that it raised, or an empty text once it has returned."""
        try:
            self.call.result(seconds)
        except NotYet:
            return None
        except jpype.JException as error:
            return str(error)
        return ""


def policy(name, kind, memory=None, flow_control=None, in_memory=False):
    """What is configured for a queue or topic, for a pattern of their names, or without a name for all others."""
    entry = activemq("broker.region.policy.PolicyEntry")()
    if memory is not None:
        entry.setMemoryLimit(memory)
    if flow_control is not None:
        entry.setProducerFlowControl(flow_control)
    if in_memory:
        entry.setPendingQueuePolicy(activemq("broker.region.policy.VMPendingQueueMessageStoragePolicy")())
        entry.setPendingSubscriberPolicy(activemq("broker.region.policy.VMPendingSubscriberMessageStoragePolicy")())
    if name:
        policies.put((Topic if kind == "Topic" else Queue)(name), entry)
        if name != ">":
            destinations[name] = kind
    else:
        policies.setDefaultEntry(entry)


def start_broker(journal, memory_bytes=None, store_bytes=None, temp_bytes=None, fail_at_once=None, fail_after_ms=None,
                 **further):
    global factory
    service.setBrokerName("reproduce")
    service.setUseJmx(False)
    service.setAdvisorySupport(False)
    service.setUseShutdownHook(False)
    service.setDataDirectory(DATA)
    store = activemq("store.kahadb.KahaDBPersistenceAdapter")()
    store.setJournalMaxFileLength(journal)
    store.setEnableJournalDiskSyncs(False)
    store.setDirectory(jpype.java.io.File(DATA, "store"))
    store.setCheckpointInterval(500)
    store.setCleanupInterval(500)
    service.setPersistenceAdapter(store)
    temp = service.getTempDataStore()
    if hasattr(temp, "setMaxDataFileLength"):
        temp.setMaxDataFileLength(journal)
    else:
        temp.setJournalMaxFileLength(journal)
    shared = service.getSystemUsage()
    for usage, limit in zip(usages(), (memory_bytes, store_bytes, temp_bytes)):
        if limit is not None:
            usage.setLimit(limit)
    if fail_at_once is not None:
        shared.setSendFailIfNoSpace(fail_at_once)
    if fail_after_ms is not None:
        shared.setSendFailIfNoSpaceAfterTimeout(fail_after_ms)
    # the broker lowers what this machine has not
    limits_at_start.update(enumerate(usage.getLimit() for usage in usages()))
    service.setDestinationPolicy(policies)
    connector = service.addConnector("tcp://127.0.0.1:0")
    service.start()
    for name, kind in destinations.items():
        destinations[name] = created((Topic if kind == "Topic" else Queue)(name))
    port = connector.getConnectUri().getPort()
    factory = activemq("ActiveMQConnectionFactory")(
        f"tcp://127.0.0.1:{port}?jms.prefetchPolicy.all=0&jms.watchTopicAdvisories=false&jms.closeTimeout=5000"
    )
    print("started ActiveMQ on port", port)


def usages():
    shared = service.getSystemUsage()
    return shared.getMemoryUsage(), shared.getStoreUsage(), shared.getTempUsage()


def created(name):
    destination = service.getDestination(name)
    while hasattr(destination, "getNext"):  # filters around it
        destination = destination.getNext()
    return destination


def memory_of(name):
    return destinations[name].getMemoryUsage()


def is_topic(name):
    return destinations[name].getActiveMQDestination().isTopic()


def depth(name, recorded):
    def look():
        messages = destinations[name].getDestinationStatistics().getMessages().getCount()
        if is_topic(name):  # what its subscriptions were not handed yet
            each = list(destinations[name].getConsumers())
            messages = sum(one.getPendingQueueSize() + one.getDispatchedQueueSize() for one in each)
        return f"{memory_of(name).getUsage()} bytes in {messages} messages"

    compare(f"memory of {name}", until(look, recorded), recorded)


def limits_in_force(name, recorded):
    destination, cursor = destinations[name], None
    if not is_topic(name):
        cursor = "memory" if destination.getMessages().getClass().getSimpleName().startswith("VM") else "file"
    policy = "BLOCK" if destination.isProducerFlowControl() else "NONE"
    answer = f"memory limit {memory_of(name).getLimit() or -1} bytes, flow control {policy}, cursor {cursor}"
    compare(f"limits of {name}", answer, recorded)


def usage_in_force(recorded):
    memory, store, temp = (max(limits_at_start[n], usage.getLimit()) for n, usage in enumerate(usages()))
    compare("limits of all", f"memory {memory}, store {store}, temporary {temp} bytes", recorded)


def change(name, memory=None, flow_control=True):
    destinations[name].setProducerFlowControl(flow_control)
    if memory is not None:
        memory_of(name).setLimit(memory)
    print("change", name, "to", memory, "bytes of memory")


def purge(name):
    destinations[name].purge()
    print("purge", name)


def until(look, recorded):
    deadline = time.monotonic() + PATIENCE
    while (answer := look()) != recorded and time.monotonic() < deadline:
        time.sleep(0.01)
    return answer


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


def compare(what, answer, recorded, raised=None):
    global otherwise
    same = answer == recorded
    otherwise += not same
    reason = f" ({raised})" if raised else ""
    print(f"{what}: {answer}{reason}" + ("" if same else f"    OTHERWISE: {recorded} was recorded"))


policy('queue', 'Queue', memory=1200000, in_memory=True)
start_broker(journal=33554432)
attach_producer('other producer', 'other producer', 'queue', False, False, 0, False, False)
depth('queue', recorded='0 bytes in 0 messages')
standing('other producer', recorded='free')
send('other producer', 'm1', 1198976, recorded='accepted')
depth('queue', recorded='1200000 bytes in 1 messages')
attach_producer('producer', 'producer', 'queue', False, True, 600000, False, False)
standing('producer', recorded='free')
send('producer', 'm2', 478976, recorded='sent')
send('producer', 'm3', 120176, recorded='sent')
attach_consumer('consumer-of-queue', 'consumer-of-queue', 'queue', False)
take('consumer-of-queue', recorded='m1')
acknowledge('consumer-of-queue', 'm1')
depth('queue', recorded='601200 bytes in 2 messages')
take('consumer-of-queue', recorded='m2')
acknowledge('consumer-of-queue', 'm2')
depth('queue', recorded='121200 bytes in 1 messages')
take('consumer-of-queue', recorded='m3')
acknowledge('consumer-of-queue', 'm3')
depth('queue', recorded='0 bytes in 0 messages')
take('consumer-of-queue', recorded=None)
take('consumer-of-queue', recorded=None)
send('other producer', 'm4', 118976, recorded='accepted')
depth('queue', recorded='120000 bytes in 1 messages')
send('producer', 'm5', 118976, recorded='sent')
depth('queue', recorded='240000 bytes in 2 messages')
take('consumer-of-queue', recorded='m4')
acknowledge('consumer-of-queue', 'm4')
depth('queue', recorded='120000 bytes in 1 messages')
take('consumer-of-queue', recorded='m5')
acknowledge('consumer-of-queue', 'm5')
depth('queue', recorded='0 bytes in 0 messages')
take('consumer-of-queue', recorded=None)
take('consumer-of-queue', recorded=None)
if not otherwise:
    print('violated again: expected a send that waits')
    print('                    seen it was sent')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers", flush=True)
shutil.rmtree(DATA, ignore_errors=True)
os._exit(1 if otherwise else 0)  # calls that wait for the broker must not keep the script
