"""What stands beside a line: a list that explains messages, a fence between a log and a stack, and other limits."""

import json

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.mentions import is_condition
from tidegate.why.show import shown

GUIDE = [
    "- `{message}`{gap}{gloss}",
    "- `AMQ212054` / `AMQ212057`{gap}a client waits for credit",
    "- `Missed heartbeat`{gap}the network is slow",
]
MESSAGES = ["disk resource limit alarm set", "Persistent store is Full", "Blocking message production on address"]


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize("gap", [" — ", ": ", " - ", " -> "])
@pytest.mark.parametrize("mark", ["-", "*", "1."])
def test_an_item_of_a_list_that_says_what_texts_of_a_log_mean_tells_nothing(message: str, gap: str, mark: str) -> None:
    lines = [each.format(message=message, gap=gap, gloss="publishers wait").replace("-", mark, 1) for each in GUIDE]
    found = ask(*lines)
    assert found.state is State.UNKNOWN
    assert found.quoted is None


def test_two_such_items_are_quoted() -> None:
    first = GUIDE[0].format(message="disk resource limit alarm set on node rabbit@till", gap=" — ", gloss="seen at ten")
    found = ask(first, "- `Missed heartbeat` — seen once")
    assert (found.held or found.quoted) is not None


GOROUTINE = [
    "goroutine 7 [select, 20 minutes]:",
    "github.com/rabbitmq/amqp091-go.(*Channel).call(0xc0001, {0xc1, 0xc2}, {0xc3, 0x1, 0x1})",
    "\t/go/pkg/mod/github.com/rabbitmq/amqp091-go@v1.10.0/channel.go:181 +0xf4",
]
LOGGED = 'time="2026-11-21T19:44:07Z" level=info msg="till started"'


def test_the_time_of_a_log_in_another_block_of_a_page_is_not_the_time_of_a_stack() -> None:
    apart = held("```", LOGGED, "```", "and pprof says:", "```", *GOROUTINE, "```")
    assert apart.since is None
    assert apart.before == 20 * 60


def test_the_time_in_front_of_a_stack_within_one_block_is_its_time() -> None:
    assert held("```", LOGGED, "", *GOROUTINE, "```").since == "2026-11-21 19:24:07+00:00"


def test_another_stop_by_another_limit_is_told_with_its_limit() -> None:
    lines = ["Alarms", "", "Memory alarm on node rabbit@till-0", "Free disk space alarm on node rabbit@till-1"]
    assert "also     1 other stop: rabbit@till-0, by vm_memory_high_watermark; --queue" in shown(ask(*lines))


def test_another_stop_by_the_same_limit_is_told_by_its_name_alone() -> None:
    lines = ["Alarms", "", "Memory alarm on node rabbit@till-0", "Memory alarm on node rabbit@till-1"]
    assert "also     1 other stop: rabbit@till-0; --queue" in shown(ask(*lines))


DISK = (
    "2026-11-21 19:44:07,987 WARN  [org.apache.activemq.artemis.core.server] AMQ222210: Free storage space is at 3.9GB "
    "of 50.0GB total. Usage rate is 92.2% which is beyond the configured <max-disk-usage>. System will start blocking "
    "producers."
)
ALARM = "2026-11-21 19:44:07.987 [warning] <0.411.0> memory resource limit alarm set on node rabbit@till."
STOPPED = "[con:7(app@/10.3.0.8:50122/shop)/ch:1] CHN-1005 : Flow Control Enforced (Queue till)"
BLOCKS = [
    ("{noformat}", "{noformat}"),
    ("{code:java}", "{code}"),
    ("{panel:title=log|color=red}", "{panel}"),
    ("[code]", "[/code]"),
    ("[code=text]", "[/code]"),
    ("[quote]", "[/quote]"),
    ("<pre>", "</pre>"),
    ('<pre class="log">', "</pre>"),
]


@pytest.mark.parametrize("line", [DISK, ALARM, STOPPED])
@pytest.mark.parametrize(("begins", "ends"), BLOCKS)
def test_a_line_alone_in_a_block_of_a_page_is_told(line: str, begins: str, ends: str) -> None:
    assert ask("Our till hangs:", begins, line, ends, "What is to be done ${now}?").state is State.BLOCKED


@pytest.mark.parametrize("line", [DISK, ALARM, STOPPED])
@pytest.mark.parametrize(("begins", "ends"), BLOCKS)
def test_a_line_with_the_marks_of_its_block_around_it_is_told(line: str, begins: str, ends: str) -> None:
    assert ask("Our till hangs:", f"{begins}{line}{ends}", "What is to be done?").state is State.BLOCKED


@pytest.mark.parametrize("ends", ["```", "{noformat}", "[/code]", "#+END_SRC"])
def test_the_end_of_a_block_is_no_piece_of_a_broken_line(ends: str) -> None:
    found = held(DISK, ends, "and then")
    assert found.told == "92.2% used, 3.9GB of 50.0GB free"


BY_A_PROGRAM = "2026-11-21T19:{minute}:07.123Z WARN com.example.mq.{logger} RabbitMQ connection {state}"


@pytest.mark.parametrize("logger", ["Publisher", "Sender", "Blocked", "Broker", "Connection"])
def test_a_program_that_logs_a_stop_and_its_end_alike_is_read_alike(logger: str) -> None:
    stopped = BY_A_PROGRAM.format(minute=44, logger=logger, state="blocked by broker, reason: low on memory")
    gone_on = BY_A_PROGRAM.format(minute=51, logger=logger, state="unblocked")
    alone = ask(stopped)
    assert (alone.held or alone.quoted) is not None
    both = ask(stopped, gone_on)
    assert both.state is not State.BLOCKED
    assert both.quoted is None


STOP_AND_END = [
    ("RabbitMQ blocked: low on memory", "RabbitMQ unblocked"),
    ("blocked by broker. Reason: low on memory", "unblocked by broker"),
    ("Connection was blocked by the broker: low on memory", "Connection was unblocked by the broker"),
    ("The connection is blocked: low on disk", "The connection is unblocked"),
    ("ConnectionBlockedEvent [reason=low on memory]", "ConnectionUnblockedEvent []"),
    ("Broker blocked connection: low on memory", "Broker unblocked connection"),
    ("RabbitMQ connection blocked: low on memory", "RabbitMQ connection unblocked."),
    ("Connection blocked due to low on memory", "Connection unblocked, resuming"),
    ("Rabbit connection blocked - low on memory", "Rabbit connection is no longer blocked"),
    ("blocked: low on memory", "unblocked"),
    ("publisher blocked: low on memory & disk", "publisher unblocked after 12s"),
]
LAYOUTS = [
    "2026-11-21 19:{minute}:07,987 WARN  [main] {text}",
    '{{"level":"warn","time":"2026-11-21T19:{minute}:07Z","msg":"{text}"}}',
    "Nov 21 19:{minute}:07 till app[12]: {text}",
    "app-1  | 2026-11-21T19:{minute}:07Z {text}",
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("stop", "end"), STOP_AND_END)
def test_the_end_of_a_stop_is_heard_in_the_words_of_the_stop(layout: str, stop: str, end: str) -> None:
    stopped = layout.format(minute=44, text=stop)
    assert ask(stopped).state is State.BLOCKED
    found = ask(stopped, layout.format(minute=51, text=end))
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert found.held.until is not None


@pytest.mark.parametrize(
    "text", ["user till unblocked", "10.0.0.7 is no longer blocked", "unblocked", "channel unblocked"]
)
def test_the_word_of_another_program_tells_no_end(text: str) -> None:
    assert ask(LAYOUTS[0].format(minute=44, text=text)).state is State.UNKNOWN


LISTENS = [
    "Connection.Blocked listener registered",
    "connection.blocked handler installed",
    "connection.blocked notifications enabled",
    "connection.blocked: supported",
    "connection.blocked event callback added",
    "connection.blocked timeout is 30s",
    "connection.blocked is supported by this broker",
]


@pytest.mark.parametrize("text", LISTENS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_program_that_listens_for_a_message_did_not_receive_it(layout: str, text: str) -> None:
    found = ask(layout.format(minute=44, text=text))
    assert found.state is State.UNKNOWN
    assert found.quoted is None


@pytest.mark.parametrize(
    "text",
    [
        "connection.blocked",
        "connection.blocked: low on disk",
        "connection.blocked event received",
        "Connection.Blocked!",
    ],
)
def test_a_program_that_received_the_message_is_told(text: str) -> None:
    assert ask(LAYOUTS[0].format(minute=44, text=text)).state in (State.BLOCKED, State.LIMIT_UNKNOWN)


WRAPPED = [
    "2026-11-21 19:44:07,987 ERROR [main] com.example.Till - not sent",
    "com.example.NotSent: till 7",
    "\tat com.example.Till.send(Till.java:9)",
]
CONFIRMS = [
    "java.util.concurrent.TimeoutException",
    "\tat com.rabbitmq.client.impl.ChannelN.waitForConfirms(ChannelN.java:200)",
    "\tat com.rabbitmq.client.impl.ChannelN.waitForConfirmsOrDie(ChannelN.java:218)",
    "\tat com.example.Till.send(Till.java:7)",
]
CREDIT = [
    "java.lang.InterruptedException",
    "\tat java.util.concurrent.Semaphore.tryAcquire(Semaphore.java:1)",
    "\tat org.apache.activemq.artemis.core.client.impl.ClientProducerCreditsImpl.actualAcquire(Credits.java:1)",
    "\tat org.apache.activemq.artemis.core.client.impl.ClientProducerImpl.send(ClientProducerImpl.java:1)",
]


@pytest.mark.parametrize("stack", [CONFIRMS, CREDIT])
def test_an_exception_that_ends_a_wait_is_read_as_the_cause_of_another_one_too(stack: list[str]) -> None:
    alone = held(*stack)
    caused = held(*WRAPPED, f"Caused by: {stack[0]}", *stack[1:])
    assert alone.gave_up
    assert (caused.reason, caused.gave_up, caused.line) == (alone.reason, True, 4)
    assert caused.since == "2026-11-21 19:44:07,987"


STACK_IN_PYTHON = (
    "Traceback (most recent call last):",
    '  File "/opt/till/send.py", line 40, in hand_over',
    "    channel.basic_publish(message)",
    '  File "/usr/lib/python3/site-packages/amqp/channel.py", line 1800, in basic_publish_confirm',
    "    self.wait([spec.Basic.Ack, spec.Basic.Nack],",
    '  File "/usr/lib/python3/site-packages/amqp/abstract_channel.py", line 99, in wait',
    "    self.connection.drain_events(timeout=timeout)",
    '  File "/usr/lib/python3/site-packages/amqp/transport.py", line 627, in _read',
    "    s = recv(n - len(rbuf))",
)
FRONTS = [
    ("", ""),
    ("[2026-11-25 10:00:01,123: ERROR/ForkPoolWorker-1] ", ""),
    ("2026-11-25 10:00:01,123 ERROR till.sender: ", ""),
    ("2026-11-25 10:00:01.123 812 ERROR oslo_service.task ", "2026-11-25 10:00:01.124 812 ERROR oslo_service.task "),
    ("till-1  | ", "till-1  | "),
]


def in_a_log(first: str, others: str, ends: str) -> list[str]:
    stack = [f"{first}{STACK_IN_PYTHON[0]}", *(f"{others}{line}" for line in STACK_IN_PYTHON[1:]), f"{others}{ends}"]
    return ["2026-11-25 10:00:00,000 INFO till: begins", *stack, "2026-11-25 10:00:04,000 INFO till: goes on"]


@pytest.mark.parametrize(("first", "others"), FRONTS)
def test_a_traceback_within_a_log_is_told(first: str, others: str) -> None:
    text = shown(ask(*in_a_log(first, others, "TimeoutError: timed out")))
    assert text.startswith("Waited in vain at 2026-11-25 10:00:0")
    assert "the program waits in a RabbitMQ client to write a message, or for its confirm" in text


@pytest.mark.parametrize(("first", "others"), FRONTS)
def test_a_traceback_within_a_log_with_another_error_tells_no_wait(first: str, others: str) -> None:
    assert ask(*in_a_log(first, others, "KeyError: 'till'")).state is State.UNKNOWN


def test_a_traceback_within_a_sentence_is_no_stack_of_its_program() -> None:
    lines = in_a_log("We searched for what `", "", "TimeoutError: timed out")
    assert ask(*lines).held is None


FULL_NODE = {"name": "rabbit@till-0", "mem_used": 3391208136, "mem_limit": 3337863987}
EMPTY_DISK = {"name": "rabbit@till-0", "disk_free": 120, "disk_free_limit": 50000000}
OTHER_NODE = {"name": "rabbit@till-1", "mem_used": 1208136, "mem_limit": 3337863987}


@pytest.mark.parametrize("node", [FULL_NODE, dict(reversed(FULL_NODE.items())), EMPTY_DISK])
@pytest.mark.parametrize("indent", [None, 2])
def test_some_columns_of_nodes_tell_the_node_whose_limit_is_passed(node: dict[str, object], indent: int | None) -> None:
    found = held(*json.dumps([OTHER_NODE, node], indent=indent).splitlines())
    assert found.place == "node rabbit@till-0"


@pytest.mark.parametrize("nodes", [[OTHER_NODE], [OTHER_NODE, {**EMPTY_DISK, "disk_free": 50000000}]])
def test_columns_of_nodes_below_their_limits_tell_nothing(nodes: list[dict[str, object]]) -> None:
    assert ask(json.dumps(nodes)).state is State.UNKNOWN


@pytest.mark.parametrize("front", ["", "  expr: ", "- alert: Full, expr: max(", "while "])
@pytest.mark.parametrize(
    "figure",
    [
        "rabbitmq_alarms_free_disk_space_watermark",
        "rabbitmq_node_disk_free_alarm",
        "activemq_memory_usage_ratio",
        "activemq_store_usage_ratio",
        "artemis_disk_store_usage",
        "org_apache_activemq_Broker_StorePercentUsage",
        "StorePercentUsage",
    ],
)
@pytest.mark.parametrize("compared", [" == 100", "==100", " == 1"])
def test_a_condition_of_a_rule_is_no_figure(front: str, figure: str, compared: str) -> None:
    answer = ask(f"{front}{figure}{compared}")
    assert answer.held is None
    assert answer.quoted is None


@pytest.mark.parametrize("compared", [" > 0", ") by (instance) >= 1", '{job="till"} != 0'])
def test_a_bound_of_a_rule_is_not_even_quoted(compared: str) -> None:
    assert ask(f"  expr: max(rabbitmq_alarms_memory_used_watermark{compared}").quoted is None


def test_a_figure_beside_a_rule_is_told() -> None:
    assert ask("rabbitmq_node_mem_alarm == 1", "rabbitmq_alarms_memory_used_watermark 1").state is State.BLOCKED


def test_a_process_of_erlang_behind_a_name_is_no_bound() -> None:
    assert not is_condition("till_mq_one <0.431.0> memory resource limit alarm set on node rabbit@till-0.")
