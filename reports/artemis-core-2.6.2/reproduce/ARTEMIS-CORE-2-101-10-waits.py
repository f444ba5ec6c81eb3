# ARTEMIS-CORE-2: A message MUST cost as many credits as its size in bytes.
#
# check     credit_counts_bytes_not_messages[101-10-waits]
# done      Given a Core address with a maximum size of 1000 bytes and policy BLOCK
#           And a producer with a window of 1 bytes
#           When the producer tries to send 101 messages of 10 bytes
#           Then its send waits
# expected  a send that waits
# seen      it was accepted, on Artemis 2.6.2
#
# Repeats the check and compares each answer with the one recorded. It needs JPype1, the jar artemis-jms-client-all,
# and a broker without security (<security-enabled>false</security-enabled>) that has this acceptor:
#
#   <acceptor name="probe">tcp://127.0.0.1:61616?protocols=CORE</acceptor>
#
# Usage: python THIS_FILE JAR [HOST:PORT]. Exit code 0: all as recorded; 1: something was otherwise.
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet

import jpype

BROKER = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1:61616"
PATIENCE = 5.0  # seconds until what was recorded must be seen again
HELD = 0.2  # seconds after which a call counts as held back that was so when it was recorded
PREFIX = f"probe-{os.getpid()}."
CHARGED, CHARGED_FOR_NAME = 454, 2  # bytes beyond the body, and for each character of the address

jpype.startJVM(classpath=[sys.argv[1]], convertStrings=True)
API = "org.apache.activemq.artemis.api.core"
ActiveMQClient, ClientRequestor = (jpype.JClass(f"{API}.client.{name}") for name in ("ActiveMQClient", "ClientRequestor"))
ManagementHelper = jpype.JClass(f"{API}.management.ManagementHelper")
declared, producers, consumers, factories = [], {}, {}, {}
otherwise = 0
# this version takes settings by position, all of them: each with what it is where it is not set
FORM = {'DLA': None, 'expiryAddress': None, 'expiryDelay': -1, 'lastValueQueue': False, 'deliveryAttempts': 10, 'maxSizeBytes': -1, 'pageSizeBytes': 10485760, 'pageMaxCacheSize': 5, 'redeliveryDelay': 0, 'redeliveryMultiplier': 1.0, 'maxRedeliveryDelay': 0, 'redistributionDelay': -1, 'sendToDLAOnNoRoute': False, 'addressFullMessagePolicy': 'PAGE', 'slowConsumerThreshold': -1, 'slowConsumerCheckPeriod': 5, 'slowConsumerPolicy': 'NOTIFY', 'autoCreateJmsQueues': True, 'autoDeleteJmsQueues': True, 'autoCreateJmsTopics': True, 'autoDeleteJmsTopics': True, 'autoCreateQueues': True, 'autoDeleteQueues': True, 'autoCreateAddresses': True, 'autoDeleteAddresses': True}


class Client:
    """A producer or a consumer, with a thread for its calls."""

    def __init__(self, session, end, address):
        self.session, self.end, self.address = session, end, address
        self.thread, self.call, self.message, self.taken = ThreadPoolExecutor(1), None, None, {}

    def begin(self, call):
        self.call = self.thread.submit(call)

    def ended(self, seconds):
        """None while the call is held back, else what it returned and what it raised."""
        try:
            answer = self.call.result(seconds), ""
        except NotYet:
            return None
        except jpype.JException as error:
            answer = None, str(error)
        self.call = None
        return answer


def connect(name, **settings):
    locator = ActiveMQClient.createServerLocator(f"tcp://{BROKER}")
    locator.setReconnectAttempts(0)
    locator.setMinLargeMessageSize(1 << 30)
    locator.setBlockOnNonDurableSend(True)
    locator.setAckBatchSize(0)
    locator.setBlockOnAcknowledge(True)
    for setting, value in settings.items():
        if value is not None:  # else it is left as the client has it
            getattr(locator, f"set{setting}")(value)
    factories[name] = locator.createSessionFactory()
    session = factories[name].createSession(False, True, True, 0)
    session.start()
    return session


def manage(resource, attribute=None, operation=None, *arguments):
    request = management.createMessage(False)
    if attribute:
        ManagementHelper.putAttribute(request, resource, attribute)
    else:
        ManagementHelper.putOperationInvocation(request, resource, operation, *arguments)
    reply = asking.request(request)
    result = ManagementHelper.getResult(reply)
    if not ManagementHelper.hasOperationSucceeded(reply):
        sys.exit(f"the broker refused {attribute or operation} of {resource}: {result}")
    return result


def operate(operation, *arguments):
    return manage("broker", None, operation, *arguments)


def configure(destination, settings):
    if settings:
        operate("addAddressSettings", PREFIX + destination, *{**FORM, **settings}.values())


def declare(destination, settings, routing="ANYCAST"):
    name = PREFIX + destination
    configure(destination, settings)
    declared.append(name)
    operate("createQueue", name, routing, name, "", False, -1, False, True)
    print("declare", destination, settings or "nothing configured", routing)


def declare_topic(destination, settings):
    declare(destination, settings, routing="MULTICAST")


def change_limits(destination, settings):
    if settings:
        configure(destination, settings)
    else:
        operate("removeAddressSettings", PREFIX + destination)
    print("change", destination, "to", settings or "nothing configured")


def purge(destination):
    print("purge", destination)
    manage(f"queue.{PREFIX}{destination}", None, "removeAllMessages")


def attach_producer(name, destination, window, rate):
    session = connect(name, ProducerWindowSize=window, ProducerMaxRate=rate)
    producers[name] = Client(session, session.createProducer(PREFIX + destination), PREFIX + destination)
    print("attach producer", name, "to", destination, "with window", window, "and rate", rate)


def attach_consumer(name, destination, window, rate):
    session = connect(name, ConsumerWindowSize=window, ConsumerMaxRate=rate)
    consumers[name] = Client(session, session.createConsumer(PREFIX + destination), PREFIX + destination)
    print("attach consumer", name, "to", destination, "with window", window, "and rate", rate)


def send(name, message_id, size, recorded):
    client = producers[name]
    body = message_id.encode().ljust(size - CHARGED - CHARGED_FOR_NAME * len(client.address), b"\0")
    message = client.session.createMessage(False)
    message.getBodyBuffer().writeBytes(jpype.JArray(jpype.JByte)(body))
    client.begin(lambda: client.end.send(message))
    client.message = message_id
    ended = client.ended(HELD if recorded == "unsettled" else PATIENCE)
    answer = "unsettled" if ended is None else "rejected" if ended[1] else "accepted"
    compare(f"send {message_id} from {name}, charged {size} bytes", answer, recorded, ended and ended[1])


def came_back(name, recorded):
    client = producers[name]
    ended = client.ended(PATIENCE) if client.call else ("", "")
    answer = "still waits" if ended is None else "rejected" if ended[1] else "accepted"
    compare(f"the waiting send of {name}, {client.message}", answer, recorded[-1][1], ended and ended[1])


def standing(name, recorded):
    call = producers[name].call
    compare(f"producer {name}", "free" if call is None or call.done() else "waits", recorded)


def take(name, recorded):
    client = consumers[name]
    waited = client.call is not None
    if not waited:
        # the broker may say that there is none while the one that was recorded is on its way
        client.begin(client.end.receive if recorded else client.end.receiveImmediate)
    ended = client.ended(PATIENCE if recorded else 0 if waited else HELD)
    message = ended and ended[0]
    answer = None
    if message is not None:
        head = jpype.JArray(jpype.JByte)(min(64, message.getBodyBuffer().readableBytes()))
        message.getBodyBuffer().readBytes(head)
        answer = bytes(head).rstrip(b"\0").decode()
        client.taken[answer] = message
    compare(f"take from {name}", answer, recorded, ended and ended[1])


def acknowledge(name, message_id):
    message = consumers[name].taken.pop(message_id, None)
    if message is not None:
        message.individualAcknowledge()
    print("acknowledge", message_id, "from", name)


def buffered(name, recorded):
    compare(f"buffered by {name}", until(lambda: consumers[name].end.getBufferSize(), recorded), recorded)


def depth(destination, recorded):
    def look():
        name = PREFIX + destination
        size, messages = manage(f"address.{name}", "AddressSize"), manage(f"queue.{name}", "MessageCount")
        return f"{size} bytes in {messages} messages"

    compare(f"{destination} holds", until(look, recorded), recorded)


def close_producer(name):
    producers.pop(name).session.close()
    print("close producer", name)


def close_consumer(name):
    consumers.pop(name).session.close()
    print("close consumer", name)


def kill(name):
    factories[name].getConnection().getTransportConnection().getNettyChannel().close().sync()
    print("kill connection", name)


def pass_time(ms):
    time.sleep(ms / 1000)
    print(ms, "ms pass")


def until(look, recorded):
    deadline = time.monotonic() + PATIENCE
    while (answer := look()) != recorded and time.monotonic() < deadline:
        time.sleep(0.01)
    return answer


def compare(what, answer, recorded, raised=None):
    global otherwise
    same = answer == recorded
    otherwise += not same
    reason = f" ({raised})" if raised else ""
    print(f"{what}: {answer}{reason}" + ("" if same else f"    OTHERWISE: {recorded} was recorded"))


management = connect("management")
asking = ClientRequestor(management, "activemq.management")
try:
    declare('address', {'maxSizeBytes': 1000000, 'addressFullMessagePolicy': 'BLOCK', 'pageSizeBytes': 500000})
    attach_producer('producer', 'address', 1000, None)
    depth('address', recorded='0 bytes in 0 messages')
    standing('producer', recorded='free')
    send('producer', 'm1', 10000, recorded='accepted')
    depth('address', recorded='10000 bytes in 1 messages')
    send('producer', 'm2', 10000, recorded='accepted')
    depth('address', recorded='20000 bytes in 2 messages')
    send('producer', 'm3', 10000, recorded='accepted')
    depth('address', recorded='30000 bytes in 3 messages')
    send('producer', 'm4', 10000, recorded='accepted')
    depth('address', recorded='40000 bytes in 4 messages')
    send('producer', 'm5', 10000, recorded='accepted')
    depth('address', recorded='50000 bytes in 5 messages')
    send('producer', 'm6', 10000, recorded='accepted')
    depth('address', recorded='60000 bytes in 6 messages')
    send('producer', 'm7', 10000, recorded='accepted')
    depth('address', recorded='70000 bytes in 7 messages')
    send('producer', 'm8', 10000, recorded='accepted')
    depth('address', recorded='80000 bytes in 8 messages')
    send('producer', 'm9', 10000, recorded='accepted')
    depth('address', recorded='90000 bytes in 9 messages')
    send('producer', 'm10', 10000, recorded='accepted')
    depth('address', recorded='100000 bytes in 10 messages')
    send('producer', 'm11', 10000, recorded='accepted')
    depth('address', recorded='110000 bytes in 11 messages')
    send('producer', 'm12', 10000, recorded='accepted')
    depth('address', recorded='120000 bytes in 12 messages')
    send('producer', 'm13', 10000, recorded='accepted')
    depth('address', recorded='130000 bytes in 13 messages')
    send('producer', 'm14', 10000, recorded='accepted')
    depth('address', recorded='140000 bytes in 14 messages')
    send('producer', 'm15', 10000, recorded='accepted')
    depth('address', recorded='150000 bytes in 15 messages')
    send('producer', 'm16', 10000, recorded='accepted')
    depth('address', recorded='160000 bytes in 16 messages')
    send('producer', 'm17', 10000, recorded='accepted')
    depth('address', recorded='170000 bytes in 17 messages')
    send('producer', 'm18', 10000, recorded='accepted')
    depth('address', recorded='180000 bytes in 18 messages')
    send('producer', 'm19', 10000, recorded='accepted')
    depth('address', recorded='190000 bytes in 19 messages')
    send('producer', 'm20', 10000, recorded='accepted')
    depth('address', recorded='200000 bytes in 20 messages')
    send('producer', 'm21', 10000, recorded='accepted')
    depth('address', recorded='210000 bytes in 21 messages')
    send('producer', 'm22', 10000, recorded='accepted')
    depth('address', recorded='220000 bytes in 22 messages')
    send('producer', 'm23', 10000, recorded='accepted')
    depth('address', recorded='230000 bytes in 23 messages')
    send('producer', 'm24', 10000, recorded='accepted')
    depth('address', recorded='240000 bytes in 24 messages')
    send('producer', 'm25', 10000, recorded='accepted')
    depth('address', recorded='250000 bytes in 25 messages')
    send('producer', 'm26', 10000, recorded='accepted')
    depth('address', recorded='260000 bytes in 26 messages')
    send('producer', 'm27', 10000, recorded='accepted')
    depth('address', recorded='270000 bytes in 27 messages')
    send('producer', 'm28', 10000, recorded='accepted')
    depth('address', recorded='280000 bytes in 28 messages')
    send('producer', 'm29', 10000, recorded='accepted')
    depth('address', recorded='290000 bytes in 29 messages')
    send('producer', 'm30', 10000, recorded='accepted')
    depth('address', recorded='300000 bytes in 30 messages')
    send('producer', 'm31', 10000, recorded='accepted')
    depth('address', recorded='310000 bytes in 31 messages')
    send('producer', 'm32', 10000, recorded='accepted')
    depth('address', recorded='320000 bytes in 32 messages')
    send('producer', 'm33', 10000, recorded='accepted')
    depth('address', recorded='330000 bytes in 33 messages')
    send('producer', 'm34', 10000, recorded='accepted')
    depth('address', recorded='340000 bytes in 34 messages')
    send('producer', 'm35', 10000, recorded='accepted')
    depth('address', recorded='350000 bytes in 35 messages')
    send('producer', 'm36', 10000, recorded='accepted')
    depth('address', recorded='360000 bytes in 36 messages')
    send('producer', 'm37', 10000, recorded='accepted')
    depth('address', recorded='370000 bytes in 37 messages')
    send('producer', 'm38', 10000, recorded='accepted')
    depth('address', recorded='380000 bytes in 38 messages')
    send('producer', 'm39', 10000, recorded='accepted')
    depth('address', recorded='390000 bytes in 39 messages')
    send('producer', 'm40', 10000, recorded='accepted')
    depth('address', recorded='400000 bytes in 40 messages')
    send('producer', 'm41', 10000, recorded='accepted')
    depth('address', recorded='410000 bytes in 41 messages')
    send('producer', 'm42', 10000, recorded='accepted')
    depth('address', recorded='420000 bytes in 42 messages')
    send('producer', 'm43', 10000, recorded='accepted')
    depth('address', recorded='430000 bytes in 43 messages')
    send('producer', 'm44', 10000, recorded='accepted')
    depth('address', recorded='440000 bytes in 44 messages')
    send('producer', 'm45', 10000, recorded='accepted')
    depth('address', recorded='450000 bytes in 45 messages')
    send('producer', 'm46', 10000, recorded='accepted')
    depth('address', recorded='460000 bytes in 46 messages')
    send('producer', 'm47', 10000, recorded='accepted')
    depth('address', recorded='470000 bytes in 47 messages')
    send('producer', 'm48', 10000, recorded='accepted')
    depth('address', recorded='480000 bytes in 48 messages')
    send('producer', 'm49', 10000, recorded='accepted')
    depth('address', recorded='490000 bytes in 49 messages')
    send('producer', 'm50', 10000, recorded='accepted')
    depth('address', recorded='500000 bytes in 50 messages')
    send('producer', 'm51', 10000, recorded='accepted')
    depth('address', recorded='510000 bytes in 51 messages')
    send('producer', 'm52', 10000, recorded='accepted')
    depth('address', recorded='520000 bytes in 52 messages')
    send('producer', 'm53', 10000, recorded='accepted')
    depth('address', recorded='530000 bytes in 53 messages')
    send('producer', 'm54', 10000, recorded='accepted')
    depth('address', recorded='540000 bytes in 54 messages')
    send('producer', 'm55', 10000, recorded='accepted')
    depth('address', recorded='550000 bytes in 55 messages')
    send('producer', 'm56', 10000, recorded='accepted')
    depth('address', recorded='560000 bytes in 56 messages')
    send('producer', 'm57', 10000, recorded='accepted')
    depth('address', recorded='570000 bytes in 57 messages')
    send('producer', 'm58', 10000, recorded='accepted')
    depth('address', recorded='580000 bytes in 58 messages')
    send('producer', 'm59', 10000, recorded='accepted')
    depth('address', recorded='590000 bytes in 59 messages')
    send('producer', 'm60', 10000, recorded='accepted')
    depth('address', recorded='600000 bytes in 60 messages')
    send('producer', 'm61', 10000, recorded='accepted')
    depth('address', recorded='610000 bytes in 61 messages')
    send('producer', 'm62', 10000, recorded='accepted')
    depth('address', recorded='620000 bytes in 62 messages')
    send('producer', 'm63', 10000, recorded='accepted')
    depth('address', recorded='630000 bytes in 63 messages')
    send('producer', 'm64', 10000, recorded='accepted')
    depth('address', recorded='640000 bytes in 64 messages')
    send('producer', 'm65', 10000, recorded='accepted')
    depth('address', recorded='650000 bytes in 65 messages')
    send('producer', 'm66', 10000, recorded='accepted')
    depth('address', recorded='660000 bytes in 66 messages')
    send('producer', 'm67', 10000, recorded='accepted')
    depth('address', recorded='670000 bytes in 67 messages')
    send('producer', 'm68', 10000, recorded='accepted')
    depth('address', recorded='680000 bytes in 68 messages')
    send('producer', 'm69', 10000, recorded='accepted')
    depth('address', recorded='690000 bytes in 69 messages')
    send('producer', 'm70', 10000, recorded='accepted')
    depth('address', recorded='700000 bytes in 70 messages')
    send('producer', 'm71', 10000, recorded='accepted')
    depth('address', recorded='710000 bytes in 71 messages')
    send('producer', 'm72', 10000, recorded='accepted')
    depth('address', recorded='720000 bytes in 72 messages')
    send('producer', 'm73', 10000, recorded='accepted')
    depth('address', recorded='730000 bytes in 73 messages')
    send('producer', 'm74', 10000, recorded='accepted')
    depth('address', recorded='740000 bytes in 74 messages')
    send('producer', 'm75', 10000, recorded='accepted')
    depth('address', recorded='750000 bytes in 75 messages')
    send('producer', 'm76', 10000, recorded='accepted')
    depth('address', recorded='760000 bytes in 76 messages')
    send('producer', 'm77', 10000, recorded='accepted')
    depth('address', recorded='770000 bytes in 77 messages')
    send('producer', 'm78', 10000, recorded='accepted')
    depth('address', recorded='780000 bytes in 78 messages')
    send('producer', 'm79', 10000, recorded='accepted')
    depth('address', recorded='790000 bytes in 79 messages')
    send('producer', 'm80', 10000, recorded='accepted')
    depth('address', recorded='800000 bytes in 80 messages')
    send('producer', 'm81', 10000, recorded='accepted')
    depth('address', recorded='810000 bytes in 81 messages')
    send('producer', 'm82', 10000, recorded='accepted')
    depth('address', recorded='820000 bytes in 82 messages')
    send('producer', 'm83', 10000, recorded='accepted')
    depth('address', recorded='830000 bytes in 83 messages')
    send('producer', 'm84', 10000, recorded='accepted')
    depth('address', recorded='840000 bytes in 84 messages')
    send('producer', 'm85', 10000, recorded='accepted')
    depth('address', recorded='850000 bytes in 85 messages')
    send('producer', 'm86', 10000, recorded='accepted')
    depth('address', recorded='860000 bytes in 86 messages')
    send('producer', 'm87', 10000, recorded='accepted')
    depth('address', recorded='870000 bytes in 87 messages')
    send('producer', 'm88', 10000, recorded='accepted')
    depth('address', recorded='880000 bytes in 88 messages')
    send('producer', 'm89', 10000, recorded='accepted')
    depth('address', recorded='890000 bytes in 89 messages')
    send('producer', 'm90', 10000, recorded='accepted')
    depth('address', recorded='900000 bytes in 90 messages')
    send('producer', 'm91', 10000, recorded='accepted')
    depth('address', recorded='910000 bytes in 91 messages')
    send('producer', 'm92', 10000, recorded='accepted')
    depth('address', recorded='920000 bytes in 92 messages')
    send('producer', 'm93', 10000, recorded='accepted')
    depth('address', recorded='930000 bytes in 93 messages')
    send('producer', 'm94', 10000, recorded='accepted')
    depth('address', recorded='940000 bytes in 94 messages')
    send('producer', 'm95', 10000, recorded='accepted')
    depth('address', recorded='950000 bytes in 95 messages')
    send('producer', 'm96', 10000, recorded='accepted')
    depth('address', recorded='960000 bytes in 96 messages')
    send('producer', 'm97', 10000, recorded='accepted')
    depth('address', recorded='970000 bytes in 97 messages')
    send('producer', 'm98', 10000, recorded='accepted')
    depth('address', recorded='980000 bytes in 98 messages')
    send('producer', 'm99', 10000, recorded='accepted')
    depth('address', recorded='990000 bytes in 99 messages')
    send('producer', 'm100', 10000, recorded='accepted')
    depth('address', recorded='1000000 bytes in 100 messages')
    send('producer', 'm101', 10000, recorded='accepted')
    depth('address', recorded='1010000 bytes in 101 messages')
finally:
    for name in [*producers, *consumers]:
        factories[name].getConnection().getTransportConnection().getNettyChannel().close().sync()
    for name in declared:
        operate("deleteAddress", name, True)
        operate("removeAddressSettings", name)
if not otherwise:
    print('violated again: expected a send that waits')
    print('                    seen it was accepted')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers", flush=True)
os._exit(1 if otherwise else 0)  # calls that are held back must not keep the script
