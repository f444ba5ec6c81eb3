"""What clients of MQTT, C++, Python and .NET write of sends that wait or fail, and what tells nothing."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

PAHO = "org.eclipse.paho.client.mqttv3.MqttException: Too many publishes in progress"
IN_FLIGHT = [
    PAHO,
    f"{PAHO} (32202)",
    "MqttException (0) - Too many publishes in progress (32202)",
    "2026-11-25 10:00:01.123 ERROR 7 --- [client] c.e.Till : message publish error: Too many publishes in progress",
    'Exception in thread "main" 正在进行过多的发布 (32202)',
    "Zu viele Veröffentlichungen werden ausgeführt (32202)",
]


@pytest.mark.parametrize("line", IN_FLIGHT)
def test_a_client_of_mqtt_has_too_many_messages_in_flight(line: str) -> None:
    found = ask(line)
    told = found.held or found.quoted
    assert told is not None
    assert told.setting == "maxInflight"
    assert not told.holds


def test_a_client_of_mqtt_in_python_has_a_full_queue() -> None:
    assert held("ValueError: Message is not queued due to ERR_QUEUE_SIZE").setting == "max_queued_messages_set"


@pytest.mark.parametrize("line", ["order (32203) is late", "Too many subscribes in progress"])
def test_another_error_of_mqtt_tells_nothing(line: str) -> None:
    assert ask(line).state is State.UNKNOWN


FULL = 'AMQ229102: Address "till" is full. Message encode size = 345B'
CONDITION = "Condition('amqp:resource-limit-exceeded', 'Address is full: till')"
REFUSED = [
    f"message:{FULL}",
    f"proton._utils.LinkDetached: sender till-1 to till closed due to: {CONDITION}",
]


@pytest.mark.parametrize("line", REFUSED)
def test_frames_and_conditions_tell_which_address_refuses(line: str) -> None:
    found = held(line)
    assert found.place == "address till"
    assert not found.holds


def test_a_class_of_cpp_stands_in_front_like_one_of_java() -> None:
    text = (
        "cms::ResourceAllocationException: Usage Manager Memory Limit reached. Stopping producer (ID:mq1-1:1:1) to "
        "prevent flooding queue://till. See http://activemq.apache.org/producer-flow-control.html for more info"
    )
    assert held(text).place == "destination queue://till"


GDB = [
    # frames, the innermost first, and words of the reason
    (["activemq::core::ActiveMQConnection::syncRequest", "activemq::core::kernels::ActiveMQProducerKernel::send"],
     "answer to a message"),
    (["activemq::util::MemoryUsage::waitForSpace", "activemq::core::kernels::ActiveMQProducerKernel::send"],
     "producer window"),
    (["amqp_poll", "amqp_try_send", "amqp_basic_publish"], "write to its connection"),
    (["qpid::client::amqp0_10::SenderImpl::waitForCapacity", "qpid::client::amqp0_10::SenderImpl::send"], "capacity"),
]  # fmt: skip


@pytest.mark.parametrize(("frames", "words"), GDB)
def test_a_stack_of_gdb_is_told_by_its_frames(frames: list[str], words: str) -> None:
    lines = [f"#{number}  0x00007f10 in {frame} () from /lib/x.so" for number, frame in enumerate(frames)]
    told = held("Thread 3 (Thread 0x7f10 (LWP 812)):", *lines, "#9  0x00007f10 in main () at till.cpp:12")
    assert told.clients == ("thread 3",)
    assert words in told.reason


def test_a_stack_of_gdb_that_receives_tells_nothing() -> None:
    frames = ["#0  0x00007f10 in amqp_poll ()", "#1  0x00007f10 in amqp_consume_message ()"]
    assert ask("Thread 3 (Thread 0x7f10 (LWP 812)):", *frames).state is State.UNKNOWN


RELEASES = [
    ("Connection is blocked by remote server: low on memory", "Connection is no longer blocked by remote server"),
    ("WARNING:rabbitpy.channel0:Connection is blocked: low on disk", "INFO:rabbitpy.channel0:Connection is unblocked"),
    ("[logstash.outputs.rabbitmq][main] RabbitMQ connection blocked! Check your RabbitMQ instance!",
     "[logstash.outputs.rabbitmq][main] RabbitMQ connection unblocked!"),
]  # fmt: skip


@pytest.mark.parametrize(("blocked", "released"), RELEASES)
def test_further_clients_of_rabbitmq_tell_both(blocked: str, released: str) -> None:
    assert ask(blocked).state in (State.BLOCKED, State.LIMIT_UNKNOWN)
    assert ask(blocked, released).state is State.NOT_BLOCKED


WAITS = [
    ("Apache.NMS.NMSException: Synchronous Request Timed out after [10000] milliseconds", "sendTimeout"),
    ("AMQ212057: Large Message Streaming is taking too long to flush on back pressure.", "takes no more"),
    ("Bridge to-mq2 is blocked on flow control, cannot receive Reference[1]", "a bridge has no credit"),
    ("2026/11/25 10:00:01 context deadline exceeded: waiting for credit on link shop", "no credit"),
    ("org.apache.qpid.transport.SessionException: interrupted while waiting for credit", "no credit"),
    ("javax.jms.JMSException: Timed out while waiting to get credit to send", "no credit"),
    ("Flow Blocked = true", "ordered the client's channel"),
]


@pytest.mark.parametrize(("line", "words"), WAITS)
def test_a_wait_of_which_the_limit_is_not_told(line: str, words: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    assert words in held(line).reason


GO_ON = [
    ("file descriptor limit alarm set.", "the limit of file descriptors"),
    ("Messages are being dropped on adress jms.queue.till", "address-full-policy"),
    ("Starting paging on jms.queue.till, size = 10486000, maxSize=10485760", "address-full-policy"),
    ("QUE-1005 : Dropped : 10 messages, Depth : 1,000 bytes, 20 messages", "overflowPolicy"),
    ("Direct memory threshold (1000) exceeded : 2000", "broker.flowToDiskThreshold"),
    ("Queue message count exceeded policy for till", "qpid.max_count or qpid.max_size"),
    ("resource-limit-exceeded: guest@QPID.x: producer throttling violation", ""),
    ("Channel flow control was requested, but not enforced by sender", "capacity"),
]


@pytest.mark.parametrize(("line", "setting"), GO_ON)
def test_what_holds_no_producer_up(line: str, setting: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    assert held(line).setting == setting


THRESHOLDS = [
    ("DEBUG {EventDispatcher} - Memory Threshold Exceeded Notification Received", "globalMemoryThreshold"),
    ("DEBUG {EventDispatcher} - Per Connection message Threshold Exceeded Notification Received", "perConnection"),
]


@pytest.mark.parametrize(("line", "setting"), THRESHOLDS)
def test_a_threshold_of_early_releases_of_wso2(line: str, setting: str) -> None:
    assert ask(line).state is State.BLOCKED
    assert setting in held(line).setting


def test_a_full_table_of_files_hides_no_alarm() -> None:
    found = ask("file descriptor limit alarm set.", "memory resource limit alarm set on node rabbit@mq1.")
    assert found.state is State.BLOCKED


@pytest.mark.parametrize("name", ["{{ $labels.node }}", "<%= @node %>"])
def test_a_rule_of_a_monitor_tells_nothing(name: str) -> None:
    found = ask("annotations:", f"  message: memory resource limit alarm set on node {name}")
    assert found.state is State.UNKNOWN
    assert found.quoted is None


STOPPING = "Usage Manager Memory Limit reached. Stopping producer (ID:mq1-1:1:1) to prevent flooding queue://till."
STOPPED = "Usage Manager Memory Limit reached. Producer (ID:mq1-1:1:1) stopped to prevent flooding queue://till."
FIGURES = (
    "Usage(default:memory:queue://till:memory) percentUsage=100%, usage=1048600, limit=1048576, "
    "percentUsageMinDelta=1%;Parent:Usage(default:memory) percentUsage=3%, usage=1048600, limit=33554432, "
    "percentUsageMinDelta=1%: "
)
FULL_STORE = (
    "Persistent store is Full, 100% of 1000. Stopping producer (ID:mq1-1:1:1) to prevent flooding queue://till."
)
SEEN_BY_THE_SENDER = [
    STOPPING,
    f"nested exception is javax.jms.JMSException: {STOPPING} See http://activemq.apache.org/ for more info",
    f"1. {FULL_STORE} See http://activemq.apache.org/ for more info (javax.jms.ResourceAllocationException)",
    f"javax.jms.JMSException: {FULL_STORE}",
]
SEEN_BY_THE_BROKER = [STOPPED, FULL_STORE, f"{FIGURES}{STOPPING}", f"{STOPPING} See http://x (blocking for: 30s)"]


@pytest.mark.parametrize("line", SEEN_BY_THE_SENDER)
def test_a_text_that_is_only_thrown_tells_of_a_send_that_failed(line: str) -> None:
    found = ask(line)
    told = found.held or found.quoted
    assert told is not None
    assert told.sends == "fail"


@pytest.mark.parametrize("line", SEEN_BY_THE_BROKER)
def test_a_text_that_a_broker_logs_tells_of_a_send_that_waits(line: str) -> None:
    assert ask(line).state is State.BLOCKED


CONNECTIONS = [
    '[{"name":"10.0.0.5:51234 -> 10.0.0.9:5672","state":"blocked","user":"guest"}]',
    '{"user":"guest","state":"blocked","type":"network","name":"10.0.0.5:51234 -> 10.0.0.9:5672"}',
]


@pytest.mark.parametrize("line", CONNECTIONS)
def test_a_connection_is_blocked_in_json(line: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    assert held(line).clients == ("10.0.0.5:51234 -> 10.0.0.9:5672",)


def test_another_state_of_another_thing_tells_nothing() -> None:
    assert ask('{"name":"till","state":"blocked"}').state is State.UNKNOWN


def test_several_attributes_of_one_answer_are_read_each() -> None:
    line = '{"value":{"GlobalMaxSize":104857600,"AddressMemoryUsagePercentage":100},"status":200}'
    assert held(line).setting == "global-max-size"


def test_a_text_that_goes_through_the_policies_tells_nothing() -> None:
    lines = [
        "As measured: PAGE kept every message, BLOCK stalled the sender,",
        "FAIL answered AMQ229102, DROP kept nothing.",
    ]
    found = ask(*lines)
    assert found.state is State.UNKNOWN
    assert found.quoted is None
    assert ask("My sends fail since today with AMQ229102 here.").quoted is not None


SCHEDULER = (
    "Job Scheduler Store is Full (100% of 7000). Stopping producer (ID:mq1-1:1:1:1) to prevent flooding of the job "
    "scheduler store. See http://activemq.apache.org/producer-flow-control.html for more info"
)


@pytest.mark.parametrize(("front", "holds"), [("", True), ("javax.jms.ResourceAllocationException: ", False)])
def test_the_store_of_scheduled_messages_is_full(front: str, holds: bool) -> None:
    found = held(f"{front}{SCHEDULER}")
    assert (found.setting, found.place, found.holds) == ("jobSchedulerUsage", "", holds)


ROUTER = "2026-11-25 10:00:01.123456 +0000 ROUTER_CORE (info) [C7][L31] Link blocked with zero credit for 10 seconds"


def test_a_router_tells_of_a_link_without_credit_since_when() -> None:
    found = ask(ROUTER)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert (found.held.place, found.held.since) == ("link [C7][L31]", "2026-11-25 09:59:51+00:00")


@pytest.mark.parametrize("outcome", ["settlement", "Accepted outcome"])
def test_protonj2_tells_that_the_broker_did_not_answer(outcome: str) -> None:
    thrown = "org.apache.qpid.protonj2.client.exceptions.ClientOperationTimedOutException"
    found = ask(f"{thrown}: Timed out waiting for remote {outcome}")
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.gave_up
