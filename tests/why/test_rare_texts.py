"""Texts that brokers and clients write seldom, each as its source has it, with figures and names made up."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

SEE = "See http://activemq.apache.org/producer-flow-control.html for more info"
STOPPING = f"Stopping producer (ID:till-4:1:1:1) to prevent flooding queue://SALES. {SEE}"
USAGE = (
    "Usage(default:memory:queue://SALES:memory) percentUsage=100%, usage=900, limit=900, percentUsageMinDelta=1%;"
    "Parent:Usage(default:memory) percentUsage=0%, usage=900, limit=90000, percentUsageMinDelta=1%"
)
TOPIC = "persistent://shop/eu/sales"
REFUSED = [
    # line, setting, place
    (f"javax.jms.ResourceAllocationException: Usage Manager Memory Limit Wait Timeout. {STOPPING}",
     "memoryLimit or memoryUsage", "queue://SALES"),
    (f"sendFailIfNoSpaceAfterTimeout expired, forcing exception on send, usage: {USAGE}: Usage Manager Memory Limit "
     f"reached. Producer (ID:till-4:1:1:1) stopped to prevent flooding queue://SALES. {SEE}",
     "memoryLimit", "queue://SALES"),
    ("javax.jms.ResourceAllocationException: Queue is full sales",
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold", "sales"),
    ("amqp:resource-limit-exceeded: Address is full: sales",
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold", "sales"),
    ("Condition('amqp:resource-limit-exceeded', 'Address is full: sales')",
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold", "sales"),
    ("producer send queue is full: ProducerQueueIsFull", "maxPendingMessages", ""),
    ("_pulsar.ProducerQueueIsFull: Pulsar error: ProducerQueueIsFull", "maxPendingMessages", ""),
    ("[Error: Failed to send message: ProducerQueueIsFull]", "maxPendingMessages", ""),
    ("Exception: Pulsar error: ResultMemoryBufferIsFull", "memoryLimit", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place"), REFUSED)
def test_a_refused_send_does_not_hang(line: str, setting: str, place: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    told = held(line)
    assert told.setting == setting
    assert told.place.endswith(place)
    assert told.sends == "fail"


STOPS = [
    # line, setting, words of the reason
    ("WARN  Stores became non-operational. Enabling error based flow control.", "the message store", "store fails"),
    ("Network partition detected, activating error based flow control", "the cluster", "lost the rest"),
    ("Clustering outage, activating error based flow control", "the cluster", "lost the rest"),
    ("org.wso2.andes.kernel.AndesException: Global error based flow control is enabled. new connections are not "
     "allowed", "the message store or the cluster", "does not tell which"),
    (f'time="2026-11-25T10:00:01Z" level=warning msg="Producer was blocked by quota exceed exception, failing pending '
     f'messages, will retry reconnecting" topic="{TOPIC}"', "backlog quota", "producer_exception"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "words"), STOPS)
def test_what_holds_producers_up_is_told(line: str, setting: str, words: str) -> None:
    assert ask(line).state is State.BLOCKED
    told = held(line)
    assert told.setting == setting
    assert words in told.reason


OVER = [
    ("Stores became non-operational. Enabling error based flow control.",
     "Stores became operational. Disabling error based flow control."),
    ("Network partition detected, activating error based flow control",
     "Network partition resolved, deactivating error based flow control"),
    ("SRMSG16223: No more credit for channel sales, requesting more credits",
     "SRMSG16222: Retrieved credits for channel `sales`: 900"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "end"), OVER)
def test_the_end_of_it_is_told(line: str, end: str) -> None:
    assert ask(line).state in (State.BLOCKED, State.LIMIT_UNKNOWN)
    assert ask(line, end).state is State.NOT_BLOCKED


CPP = f"2026-11-25 10:00:01.949 WARN  [0x16b] ProducerImpl:880 | [{TOPIC}, till-4] Send timeout due to queueing delay, "
UNKNOWN_LIMIT = [
    # line, place, client
    (f'time="2026-11-25T10:00:01Z" level=info msg="Failing 7 messages on timeout 9s" producerID=1 '
     f'producer_name=till-4 topic="{TOPIC}"', TOPIC, "producer till-4"),
    (f'time="2026-11-25T10:00:01Z" level=error msg="not sent" error="message send timeout: TimeoutError" '
     f'producer_name=till-4 topic="{TOPIC}"', TOPIC, "producer till-4"),
    (f"{CPP}connection: [10.0.0.7:5 -> 10.0.0.1:6650] , pending messages: 7, queue size: 0", TOPIC, "producer till-4"),
    ("INFO ProducerImpl - [sales] [till-4] Message send timed out. Failing 7 messages", "sales", "producer till-4"),
    ("Holding Message send until credit is available.", "", "a client"),
    ("SRMSG16230: No credits for channel sales, checking periodically for credits", "sales", ""),
    ("cannot send request to peer, no credit left for link [link target: sales/eu]", "sales/eu", ""),
    ("error sending message [ID: 7, address: sales/eu], no credit available (drain=false)", "sales/eu", ""),
    ("reusing existing message sender [target: sales/eu, credit: -7]", "sales/eu", ""),
    ("org.example.ServerErrorException: no credit available for sending request", "", "a client"),
    ("Apache.NMS.ActiveMQ.RequestTimedOutException", "", "a client"),
    ("javax.jms.JMSException: Interrupted while waiting for flow control to be removed", "", "a client"),
    ("ERROR Flow control enable while failover.", "", "a client"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "place", "client"), UNKNOWN_LIMIT)
def test_a_wait_whose_limit_the_line_does_not_tell(line: str, place: str, client: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    told = held(line)
    assert told.place.endswith(place)
    assert told.clients == ((client,) if client else ())


NOTHING = [
    f"{CPP}connection: [10.0.0.7:5 -> 10.0.0.1:6650] , pending messages: 0, queue size: 0",
    "reusing existing message sender [target: sales/eu, credit: 7]",
    "SRMSG16222: Retrieved credits for channel `sales`: 0",
    "javax.jms.InvalidDestinationException: Queue is unknown sales",
]


@pytest.mark.parametrize("line", NOTHING)
def test_everyday_lines_of_the_same_kind_tell_of_no_wait(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.held is None


CLUSTER = [
    # line of cluster_status, node, setting
    (" {alarms,[{rabbit@mq1,[]},{rabbit@mq2,[memory]}]}]", "rabbit@mq2", "vm_memory_high_watermark"),
    ("{alarms,[{'rabbit@mq-3',[disk]}]}]", "rabbit@mq-3", "disk_free_limit"),
    ("          {'rabbit@10.7.7.7',[memory]},", "rabbit@10.7.7.7", "vm_memory_high_watermark"),
]


@pytest.mark.parametrize(("line", "node", "setting"), CLUSTER)
def test_the_status_of_a_cluster_names_the_node_with_an_alarm(line: str, node: str, setting: str) -> None:
    told = held(line)
    assert told.setting == setting
    assert node in told.place


NO_ALARM = [
    " {alarms,[{rabbit@mq1,[]},{rabbit@mq2,[]}]}]",
    " {alarms,[{rabbit@mq1,[file_descriptor_limit]}]}]",
]


@pytest.mark.parametrize("line", NO_ALARM)
def test_the_status_of_a_cluster_without_an_alarm_holds_nobody_up(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.held is None


def test_a_link_without_credit_is_told_in_the_words_of_a_client_in_rust() -> None:
    found = ask("Error: The link does not have enough credits to send a message")
    assert found.held is not None
    assert "no credit" in found.held.reason


STOPPED = "INFO {org.wso2.andes.kernel.FlowControlManager} -  Global error based flow control enabled."
REASONS = {
    "Network partition detected, activating error based flow control": "the cluster",
    "Stores became non-operational. Enabling error based flow control.": "the message store",
}


@pytest.mark.parametrize("reason", REASONS)
def test_the_line_in_front_tells_why_andes_stopped_every_publisher(reason: str) -> None:
    line = f"INFO {{org.wso2.andes.kernel.FlowControlManager}} -  {reason}"
    assert held(line, STOPPED).setting == REASONS[reason]
    assert held(STOPPED).setting == "the message store or the cluster"
    assert ask(line, STOPPED, STOPPED.replace("enabled", "disabled")).state is State.NOT_BLOCKED


def test_a_message_in_an_error_frame_of_stomp_refuses_a_send() -> None:
    full = (
        "Persistent store is Full, 100% of 800. Stopping producer (ID:till:1) to prevent flooding queue://shop. See x"
    )
    for frame in (f"ERROR\\nmessage:{full}", f"ERROR message:javax.jms.ResourceAllocationException: {full}"):
        told = held(frame)
        assert (told.setting, told.holds) == ("storeUsage", False)
    assert held(full).holds


def test_a_frame_that_a_client_of_stomp_logs_counts_with_its_names_and_not_with_its_body() -> None:
    full = "Usage Manager Store is Full, 100% of 800"
    names = f"{full}. Stopping producer (ID:till:1) to prevent flooding queue://shop. See x"
    told = held("<<< ERROR", f"message:{names}", "", f"javax.jms.ResourceAllocationException: {full}.")
    assert (told.place, told.clients, told.limit) == ("destination queue://shop", ("ID:till:1",), 800)
    assert not told.holds
    # a stream of C++ writes such a text; nobody is refused
    assert ask(f'out << "ERROR message:{names}" << endl;').held is None


def test_a_refusal_by_another_limit_counts_although_it_names_nobody() -> None:
    first = (
        "javax.jms.ResourceAllocationException: Usage Manager Memory Limit reached. Stopping producer (ID:till:1) to "
        "prevent flooding queue://shop. See x"
    )
    assert held(first, "javax.jms.ResourceAllocationException: Usage Manager Store is Full.").setting == "storeUsage"


@pytest.mark.parametrize(("name", "queue"), [("till", "till"), ("queue: till", "till"), ("queue", "queue")])
def test_a_queue_of_qpidd_past_its_policy_is_named_behind_its_kind_too(name: str, queue: str) -> None:
    text = f"resource-limit-exceeded: Policy exceeded on {name}, policy: size: max=100, current=99; count: unlimited"
    assert held(text).place == f"queue {queue}"
