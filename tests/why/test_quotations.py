"""Texts about a broker's messages: rows of tables, placeholders, source code, and titles that somebody retyped."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

QUOTED = [
    # line, setting
    ("| `vm_memory_high_watermark set. Memory used:` | critical | the node takes too much | consume |",
     "vm_memory_high_watermark"),
    ("| 7 | `Usage Manager Store is Full` | producers wait | raise the limit |", "storeUsage"),
    ('sent 7, got `AMQ229102: Address "…" is full`. Next',
     "address-full-policy, page-full-policy or max-size-bytes-reject-threshold"),
    ("memory resource limit alarm set on node rabbit@...", "vm_memory_high_watermark"),
    ("thread 'main' panicked at 'not sent: NotEnoughCreditsToSend(Message { header: None })', till.rs:7:3", ""),
    ("AMQ222212: Disk Full! Blocking message production on address '<name>'. Clients will report blocked.",
     "max-disk-usage"),
    ("AMQ212054: Destination address=${ADDRESS} is blocked. If the system is configured to block", ""),
    ("Till crashes with BufferError [Local] queue full, after an hour",
     "queue.buffering.max.messages or queue.buffering.max.kbytes"),
    ("Why is my PERSISTENT STORE of ActiveMQ full? It says persistent store is full", "storeUsage"),
    ("publisher hangs (connection blocked, low on memory)", "vm_memory_high_watermark"),
    ("[broker] ProducerBlockedQuotaExceeded on partitioned topics", "backlog quota"),
    ("disk-full: blocking message production", "max-disk-usage"),
    ("KafkaTimeoutError - failed to allocate memory, within the configured time", "buffer.memory"),
    ('QPID_MSG("Maximum depth exceeded on " << name << ": current=[" << current)', "qpid.max_count or qpid.max_size"),
    ('"memory resource limit alarm set on node ~p"', "vm_memory_high_watermark"),
    ("A node with `mem_alarm: true` takes no messages.", "vm_memory_high_watermark"),
    ("| `mem_alarm: true` | the node takes no messages |", "vm_memory_high_watermark"),
    ('state.Blocked, state.Reason, state.At = true, "low on memory", now()', "vm_memory_high_watermark"),
    ('{"name": "rabbit@till", "mem_alarm": True, "disk_free_alarm": False},', "vm_memory_high_watermark"),
    ("TimeoutException: Expiring N record(s) for TOPIC: NNN ms has passed since batch creation", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting"), QUOTED)
def test_a_text_about_a_message_never_tells_for_certain(line: str, setting: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.quoted is not None
    assert found.quoted.setting == setting


REAL = [
    "| `disk resource limit alarm set on node rabbit@mq1` |",
    "mq-1  | disk resource limit alarm set on node rabbit@mq1",
    "machine # [   12.345678] rabbitmq-server[77]: disk resource limit alarm set on node rabbit@mq1.",
]


@pytest.mark.parametrize("line", REAL)
def test_a_message_alone_in_its_row_or_with_a_name_tells_for_certain(line: str) -> None:
    assert ask(line).state is State.BLOCKED


OTHERS = [
    'errNo{code: 10004, message: "producer send queue is full"}',
    "java.lang.IllegalStateException: Queue full",
    "Error: Free disk space is insufficient: 7 MB available, 9 MB required",
    "a restore stops where free disk space is insufficient and says so",
    r"curl /api/healthchecks/node | egrep -q 'resource alarm\(s\) in effect:\[memory\]'",
    "grep 'memory resource limit alarm set on node rabbit@till' rabbit.log",
    "AMQ222212: Waiting until a live server is found",
    'assert_true(log.findText("AMQ222183"), 5000)',
    'if strings.Contains(line, "disk resource limit alarm set on node ") {',
    "expect(lines).toContain('memory resource limit alarm set on node rabbit@till')",
    "- [`RABBITMQ_MEMORY_ALARM`](memory-alarm.md)",
    "- [RABBITMQ_DISK_ALARM](disk-alarm.html): the node has little disk left",
    '{"capabilities":{"connection.blocked":true,"basic.nack":true}}',
    '\t\t"connection.blocked":     true,',
    '"connection.blocked" server capability key is true.',
    '    raise Timeout::Error, "Timed out waiting for publisher confirms (limit: #{limit})" if left <= 0',
]


@pytest.mark.parametrize("line", OTHERS)
def test_what_other_products_say_is_not_even_a_quotation(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.quoted is None


NAMED = [
    "Producers see `Broker-enforced flow control`",
    "If a send stalls with `AMQ212054`, look at the disk",
    "See AMQ222183",
    "The broker sends connection.blocked when it runs short, and a client may register a handler",
    "they set alarms, and `connection.blocked` follows",
    "`Connection.Unblocked`, having the signature of a callback",
    "``Connection.Blocked`` notifications: register a callback",
    "a persistent store is full when nothing fits in it",
]


@pytest.mark.parametrize("line", NAMED)
def test_no_more_than_the_name_of_a_message_tells_nothing_in_a_sentence(line: str) -> None:
    found = ask(line, "RabbitMQ and Artemis are brokers.")
    assert found.state is State.UNKNOWN
    assert found.quoted is None


def test_the_name_of_a_message_tells_where_a_program_wrote_the_line() -> None:
    found = ask("2026-11-25 10:00:01 ERROR till - not sent: NotEnoughCreditsToSend")
    assert found.quoted is not None


PROGRAMS = [
    'throw new ResourceAllocationException("Queue is full " + destination);',
    'log.warning("disk resource limit alarm set on node rabbit@%s", name)',
    'throw new JMSException("Usage Manager Memory Limit reached. Stopping producer (" + id + ")");',
    'write([]byte(`[{"mem_alarm": false, "disk_free_alarm": true}]`))',
    'fail("Persistent store is Full, 100% of 900. Stopping producer (" + id + ") to prevent flooding queue://A. S")',
    'assertLog("memory resource limit alarm set on node rabbit@a.");',
    "// AMQ222212: Disk Full! Blocking message production on address 'o'. Clients will report blocked.",
    "%% memory resource limit alarm set on node rabbit@a.",
    "/* QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000 */",
    "import org.apache.activemq.transport.RequestTimedOutIOException;",
    "} catch (RequestTimedOutIOException gone) {",
]


@pytest.mark.parametrize("line", PROGRAMS)
def test_source_code_tells_nothing_and_is_put_aside(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert (found.held, found.quoted) == (None, None)


AMONG = [
    ("/**", " * Log a message of the format:", " * CHN-1012 : Flow Control Ignored. Channel will be closed.", " */"),
    ("set of alarms:", "#", "# memory resource limit alarm set on node rabbit@a."),
    ("var till = open();", "till.send(one);", "till.send(two);", "  memory resource limit alarm set on node rabbit@a."),
]


@pytest.mark.parametrize("lines", AMONG)
def test_a_line_among_code_or_in_a_comment_tells_nothing(lines: tuple[str, ...]) -> None:
    found = ask(*lines)
    assert (found.held, found.quoted) == (None, None)
    assert found.aside == {"the line is source code or a comment": 1}


def test_a_log_behind_code_still_tells() -> None:
    code = ("var till = open();", "till.send(one);", "till.send(two);")
    assert ask(*code, "and then:", "memory resource limit alarm set on node rabbit@a.").held is not None
    indented = "  memory resource limit alarm set on node rabbit@a."
    assert ask("```", *code, "```", "", "```", indented).held is not None
    assert ask("```", *code, "", indented).held is None


def test_the_lines_of_a_program_in_its_stack_are_no_code() -> None:
    stack = ["Traceback (most recent call last):"]
    for number in range(4):
        stack += [f'  File "till.py", line {number}, in send', "    self.channel.basic_publish(one)"]
    found = ask(*stack, "pika.exceptions.ConnectionBlockedTimeout: Blocked connection timeout expired.")
    assert found.held is not None


def test_wrapped_figures_of_artemis_are_no_code() -> None:
    line = "> AMQ222183: Blocking message production on address 'till'; size=1200 bytes (5 messages);"
    figures = "> maxSize=1000 bytes (-1 messages); globalSize=1200 bytes (5 messages);"
    every = "> globalMaxSize=-1 bytes (-1 messages);"
    found = ask(*[line.replace("till", "other"), figures, every] * 2, line, figures, every)
    assert found.held is not None
    assert found.held.place == "address till"


def test_lines_with_a_time_between_code_like_lines_are_a_log() -> None:
    log = [f"2026-11-25 10:00:0{second} DEBUG till - ran send(one);" for second in range(4)]
    assert ask(*log, "memory resource limit alarm set on node rabbit@a.").held is not None


def test_a_log_within_code_and_a_heading_still_tell() -> None:
    code = ("var till = open();", "till.send(one);", "till.send(two);")
    assert (
        ask(*code, "2026-11-25 10:00:01 [warning] memory resource limit alarm set on node rabbit@a.").held is not None
    )
    assert ask("# memory resource limit alarm set on node rabbit@a.", "", "It hangs.").held is not None
    assert ask("- memory resource limit alarm set on node rabbit@a.", "* disk is full").held is not None


@pytest.mark.parametrize("name", ["%s", "<name>", "…", "${QUEUE}"])
def test_a_placeholder_is_no_name(name: str) -> None:
    found = ask(f"Maximum depth exceeded on '{name}' : current=[count: 7, size: 7], max=[count: 6, size: 6]")
    assert found.quoted is not None
    assert found.quoted.place == ""


def test_a_log_is_not_searched_for_retyped_texts() -> None:
    title = "ActiveMQ says PERSISTENT STORE is full, why?"
    assert ask(title, *["nothing"] * 199).quoted is not None
    assert ask(title, *["nothing"] * 200).quoted is None


def test_a_line_that_tells_counts_more_than_a_retyped_text() -> None:
    found = ask("ActiveMQ says PERSISTENT STORE is full, why?", "disk resource limit alarm set on node rabbit@mq1")
    assert found.held is not None
    assert found.held.setting == "disk_free_limit"
    assert found.quoted is None
    assert not found.aside


RECORD = "2026-11-25 10:00:01,123 WARN  [org.apache.activemq.artemis.core.server] "
STOP = "AMQ222212: Disk Full! Blocking message production on address 'shop'. Clients will report blocked."


def test_the_last_of_several_records_in_one_line_is_told_with_its_own_time() -> None:
    first = RECORD.replace("10:00:01,123", "10:00:00,007") + "AMQ222107: Cleared up resources for session"
    told = held(f"{first} {RECORD}{STOP}")
    assert (told.place, told.since) == ("address shop", "2026-11-25 10:00:01,123")


def test_a_record_behind_a_sentence_is_told() -> None:
    assert ask(f"it hangs and the log has {RECORD}{STOP}").state is State.BLOCKED


def test_a_message_behind_a_sentence_with_a_part_of_a_record_is_none() -> None:
    assert ask(f"at 2026-11-25 10:00:01,123 it hung, with {STOP}").state is State.UNKNOWN
    assert ask(f"it hangs and the log has {RECORD.replace('WARN', '')}{STOP}").state is State.UNKNOWN


def test_the_fields_of_a_message_that_classic_shows_are_no_source_code() -> None:
    front = "2026-11-25 10:00:01,123 WARN [org.apache.activemq.broker.region.Queue] "
    behind = "Message = ActiveMQBytesMessage {commandId = 9, responseRequired = false, destination = queue://shop}"
    text = "Waiting for space to send transacted message - transaction elements = 7 need more space to commit. "
    assert ask(f"{front}{text}{behind}").state is State.BLOCKED
    assert ask(f"{front}{text}responseRequired = false, {behind}").state is State.UNKNOWN


SHOWN = "OOM command not allowed when used memory > 'maxmemory'."


@pytest.mark.parametrize(
    "front", ["", "[2026-11-25 10:00:00,000: ERROR/MainProcess] Unrecoverable error: ", "redis.exceptions."]
)
@pytest.mark.parametrize("end", ['")', '",)'])
def test_an_exception_as_python_shows_it_is_no_source_code(front: str, end: str) -> None:
    found = ask(f'{front}ResponseError("{SHOWN}{end}')
    heard = found.held or found.quoted
    assert heard is not None
    assert heard.setting == "maxmemory"


@pytest.mark.parametrize("front", ["raise ", "    e = ", "throw new ", "return errors.", "assert f(x, ", "case "])
def test_an_exception_that_a_program_makes_tells_nothing(front: str) -> None:
    found = ask(f'{front}ResponseError("{SHOWN}")')
    assert (found.held, found.quoted) == (None, None)


ALTERNATIVES = [
    '"memory resource limit alarm set" or "disk resource limit alarm" means that RabbitMQ takes nothing',
    "RabbitMQ logs `memory resource limit alarm set` or `disk resource limit alarm set`",
]


@pytest.mark.parametrize("line", ALTERNATIVES)
def test_messages_that_a_sentence_names_as_alternatives_tell_nothing(line: str) -> None:
    assert ask(line).quoted is None


def test_two_names_of_one_limit_are_no_alternatives() -> None:
    found = ask('RabbitMQ says "memory resource limit alarm set" or "blocked: low on memory"')
    assert found.quoted is not None
    assert found.quoted.setting == "vm_memory_high_watermark"


FAIL = 'An Artemis address under FAIL says `AMQ229102: Address "…" is full`.'
ORDER = "Artemis shows `BlockedViaManagement: true` after somebody blocked an address."


def test_a_text_that_mentions_messages_of_different_limits_tells_none_of_them() -> None:
    assert ask(FAIL).quoted is not None
    assert ask(ORDER).quoted is not None
    assert ask(FAIL, ORDER).quoted is None


def test_a_quotation_with_a_time_counts_beside_such_mentions() -> None:
    line = "we saw 2026-11-25 10:00:01,123 disk resource limit alarm set on node rabbit@mq1. in RabbitMQ"
    found = ask(FAIL, ORDER, line)
    assert found.quoted is not None
    assert found.quoted.setting == "disk_free_limit"


LISTS = [
    # Comments say what the lines below them mean.
    ("# Memory alarm of a node", "{resource_limit,memory,rabbit@mq1}", "", "# Disk alarm of a node",
     "{resource_limit,disk,rabbit@mq1}"),
    ("# The store is full", "Usage Manager Store is Full", "# No memory is left",
     "Usage Manager Memory Limit reached"),
    # A row of a table has the class of the exception in front.
    ("| `javax.jms.ResourceAllocationException: Usage Manager memory limit reached` | Client | memory is full |",),
]  # fmt: skip


@pytest.mark.parametrize("lines", LISTS)
def test_a_list_of_messages_tells_nothing_for_certain(lines: tuple[str, ...]) -> None:
    found = ask(*lines)
    assert (found.state, found.held) == (State.UNKNOWN, None)


MADE = [
    ("    ok = amqp10_client:send_msg(S, M),", "    Due = #'v1_0.error'{", "        condition = ?V_1_0_LIMIT_EXCEEDED,",
     "        description = {utf8, <<\"queue '\", Q/binary, \"' exceeded maximum length\">>},",
     "        info = {map, []}},"),
    ("    amqp_channel:call(Ch, P),", "    ?assertEqual({shutdown, {closed, 406,",
     '        <<"PRECONDITION_FAILED - message size 2001 is larger than configured max size 2000">>}},',
     "        Info)", "    after 2000 -> ct:fail(none_came)", "    end,"),
    ("    lines = [", '        f"{at} ERROR memory alarm on node rabbit@mq-7",', "    ]"),
    ('    $"{at} disk resource limit alarm set on node rabbit@mq-7",',),
    ('    Mock::given(method("GET"))', '        .and(path("/alarms"))', "        .answers(503, json({",
     '            "reason": "memory alarm on node rabbit@till",', "        }))"),
]  # fmt: skip


@pytest.mark.parametrize("lines", MADE)
def test_a_text_that_a_program_makes_tells_nothing(lines: tuple[str, ...]) -> None:
    found = ask(*lines)
    assert (found.state, found.held, found.quoted) == (State.UNKNOWN, None, None)


def test_a_name_in_capitals_that_stands_for_any_name_is_no_name() -> None:
    line = 'javax.jms.JMSException: AMQ219058: Address "{}" is full'
    assert ask(line.format("QUEUE_NAME")).held is None
    found = ask(line.format("ORDER_QUEUE"))
    assert found.held is not None and found.held.place == "address ORDER_QUEUE"


def test_a_line_under_a_single_comment_or_a_command_of_root_still_tells() -> None:
    alarm = "{resource_limit,memory,rabbit@mq1}"
    assert ask("# This is what the node says", alarm).state is State.BLOCKED
    assert ask("# rabbitmqctl list_alarms", alarm, "# rabbitmqctl list_alarms again", alarm).state is State.BLOCKED
    log = "2026-11-26 10:00:00.100 [warning] <0.7.0> memory resource limit alarm set on node rabbit@mq1."
    assert ask("# The first node", log, "# The second node", log).state is State.BLOCKED


def test_a_text_in_a_program_of_go_tells_nothing() -> None:
    found = ask(
        "func TestTill(t *testing.T) {",
        "\tanswer := asked(t,",
        '\t\t`[{"name":"rabbit@till","mem_alarm":true}]`,',
        "\t\t`[]`)",
        "\tif answer.Red {",
    )
    assert found.state is State.UNKNOWN
    assert found.quoted is None


@pytest.mark.parametrize("title", ["# [fix][broker] ", "fix(client): ", "[Improve] "])
def test_the_title_of_a_change_tells_nothing(title: str) -> None:
    found = ask("Pulsar:", "", f"{title}Producer is blocked on creation because backlog exceeded on topic")
    assert found.state is State.UNKNOWN
    assert found.quoted is None


def test_a_message_in_the_case_that_a_text_names_is_only_quoted() -> None:
    line = "Producer is blocked on creation because backlog exceeded on topic"
    assert held(line).setting == "backlog quota"
    found = ask("We use Pulsar.", f"{line}, when nobody reads it")
    assert found.state is State.UNKNOWN
    assert found.quoted is not None
    assert held(f"2026-11-30 10:00:00,123 WARN {line}, when nobody reads it").setting == "backlog quota"


@pytest.mark.parametrize("tried", ["It is hard to trigger", "I am not able to reproduce", "It's impossible to provoke"])
def test_a_message_that_somebody_could_hardly_have_tells_nothing(tried: str) -> None:
    message = "`Client memory buffer is full` in our Pulsar tests."
    assert ask(f"We saw {message}").quoted is not None
    assert ask(f"{tried} the {message}").quoted is None


def test_a_time_in_another_block_of_a_page_is_not_the_time_of_a_message() -> None:
    message = "nats: maximum messages exceeded"
    row = "2026-11-30 10:00:00 the stream sales has 700 messages"
    assert held(row, message).since == "2026-11-30 10:00:00"
    assert held("```", row, "```", "```", message, "```").since is None
