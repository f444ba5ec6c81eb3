# ARTEMIS-CORE-5: The server SHOULD grant a producer credit exactly as far as all that the producer then has left fits below `max-size-bytes`.
#
# check     beside_a_producer_that_waits_every_other_one_is_granted_what_fits_whenever_it_came[third]
# done      Given a Core address with a maximum size of 1000 bytes and policy BLOCK
#           And 4 producers with windows of 1 bytes are attached
#           When the first of them sends a message of 900 bytes
#           And the third of them sends a message of 200 bytes
#           Then the third of them is stopped
# expected  the producer 3 stopped at 1,100 bytes (really 1,100,000)
# seen      the producer 3 free at 1,100 bytes (really 1,100,000), on Artemis 2.6.2
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
PATIENCE = 5.0  # seconds within which a recorded answer must come again
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
    attach_producer('producer 1', 'address', 1000, None)
    depth('address', recorded='0 bytes in 0 messages')
    standing('producer 1', recorded='free')
    attach_producer('producer 2', 'address', 1000, None)
    standing('producer 2', recorded='free')
    attach_producer('producer 3', 'address', 1000, None)
    standing('producer 3', recorded='free')
    attach_producer('producer 4', 'address', 1000, None)
    standing('producer 4', recorded='free')
    send('producer 1', 'm1', 900000, recorded='accepted')
    depth('address', recorded='900000 bytes in 1 messages')
    send('producer 3', 'm2', 200000, recorded='accepted')
    depth('address', recorded='1100000 bytes in 2 messages')
    attach_consumer('consumer-of-address', 'address', 0, None)
    take('consumer-of-address', recorded='m1')
    acknowledge('consumer-of-address', 'm1')
    depth('address', recorded='200000 bytes in 1 messages')
    take('consumer-of-address', recorded='m2')
    acknowledge('consumer-of-address', 'm2')
    depth('address', recorded='0 bytes in 0 messages')
    take('consumer-of-address', recorded=None)
    take('consumer-of-address', recorded=None)
    for step in range(4):
        send(f'producer {1 + step}', f'm{3 + step}', 100000, recorded='accepted')
        depth('address', recorded=f'{100000 + 100000 * step} bytes in {1 + step} messages')
    for step in range(4):
        take('consumer-of-address', recorded=f'm{3 + step}')
        acknowledge('consumer-of-address', f'm{3 + step}')
        depth('address', recorded=f'{300000 - 100000 * step} bytes in {3 - step} messages')
    take('consumer-of-address', recorded=None)
    take('consumer-of-address', recorded=None)
finally:
    for name in [*producers, *consumers]:
        factories[name].getConnection().getTransportConnection().getNettyChannel().close().sync()
    for name in declared:
        operate("deleteAddress", name, True)
        operate("removeAddressSettings", name)
if not otherwise:
    print('violated again: expected the producer 3 stopped at 1,100 bytes (really 1,100,000)')
    print('                    seen the producer 3 free at 1,100 bytes (really 1,100,000)')
print("all as recorded" if not otherwise else f"otherwise than recorded: {otherwise} answers", flush=True)
os._exit(1 if otherwise else 0)  # calls that are held back must not keep the script
