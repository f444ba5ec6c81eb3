"""From several lines to the one answer: what still stands, what is over, and who was let go."""

import gzip
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.command import tidegate
from tests.why.asking import ask, held
from tests.why.test_lines import CHANNEL, OWN, QUEUE
from tidegate.why.answer import CANNOT, Asked, State, answer
from tidegate.why.reading import read
from tidegate.why.show import shown
from tidegate.why.times import stamp

ROOT = Path(__file__).parents[2]
OVERFULL = QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
UNDERFULL = QUEUE + "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"
STOPPED = CHANNEL + "CHN-1005 : Flow Control Enforced (Queue orders)"
RELEASED = CHANNEL + "CHN-1006 : Flow Control Removed"
UNBLOCKED = OWN.replace("AMQ222183: Blocking", "AMQ221046: Unblocking")
MEMORY = "memory resource limit alarm {} on node rabbit@a"


def test_a_queue_and_its_channel_are_one_answer() -> None:
    told = held(f"2026-11-25 10:00:01 {OVERFULL}", f"2026-11-25 10:00:02 {STOPPED}")
    assert (told.since, told.limit, told.level) == ("2026-11-25 10:00:01", 1000, 1200)
    assert told.clients == ("con:2(guest@anonymous(713889609)/test)/ch:1",)


def test_the_resume_level_of_an_earlier_line_says_how_much_is_missing() -> None:
    told = held(OVERFULL, STOPPED, UNDERFULL, RELEASED, OVERFULL)
    assert (told.resume, told.missing) == (800, 400)
    assert told.version == "Qpid Java broker 0.18 as built"


def test_the_rule_of_the_version_that_started_says_how_much_is_missing() -> None:
    told = held("[Broker] BRK-1001 : Startup : Version: 9.2.1 Build: 6328", OVERFULL)
    assert (told.missing, told.usually) == (None, 400)
    assert told.version == "Qpid Java broker 9.2.1 as built"
    told = held("[Broker] BRK-1001 : Startup : Version: 9.1.0 Build: 6328", OVERFULL)
    assert (told.missing, told.usually) == (None, 400)
    assert "9.2.1 as built (9.1.0 is not modelled" in told.version
    told = held("[Broker] BRK-1001 : Startup : Version: 0.20 Build: 1373004", OVERFULL)
    assert (told.missing, told.usually) == (None, None)


def test_a_queue_of_broker_j_is_released_at_80_percent_unless_configured() -> None:
    line = QUEUE + "QUE-1003 : Overfull : Size : {} bytes, Capacity : {}, Messages : {}, Message Capacity : {}"
    assert held(line.format("1,201", "1,001", 3, -1)).usually == 400  # 801 * 100 < 1001 * 80 + 100
    assert held(line.format("1,201", "-1", 11, 10)).usually == 3
    underfull = "QUE-1004 : Underfull : Size : 8 bytes, Resume Capacity : 160,000, Messages : 1, Message Capacity : 5"
    told = held(QUEUE + underfull, line.format("1,201", "-1", 11, 10))
    assert (told.missing, told.usually, told.unit) == (6, None, "messages")


def test_the_level_of_release_is_the_one_that_the_real_broker_let_go_at() -> None:
    log = (ROOT / "reports/qpid-10.1.0/broker-qpid-10.1.0.log").read_text()
    assert "QUE-1004 : Underfull : Size : 160,000 bytes, Resume Capacity : 160,000, Messages : 2" in log
    overfull = next(
        line for line in log.splitlines() if "Size : 240,000 bytes, Capacity : 200,000, Messages : 3" in line
    )
    assert held(overfull).usually == 240_000 - 160_000


def test_nothing_is_blocked_once_queue_and_channel_are_released() -> None:
    found = ask(f"10:00:01 {OVERFULL}", f"10:00:01 {STOPPED}", f"10:00:09 {UNDERFULL}", f"10:00:10 {RELEASED}")
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert (found.held.since, found.held.until) == ("10:00:01", "10:00:10")


def test_a_channel_without_a_line_of_its_own_is_still_held_by_another_queue() -> None:
    told = held(OVERFULL, STOPPED, UNDERFULL)
    assert "another queue" in told.caveat
    assert told.missing is None
    (release,) = [line for line in shown(ask(OVERFULL, STOPPED, UNDERFULL)).splitlines() if line.startswith("release")]
    assert "this queue is below its resume level again, so look up the other queues" in release
    assert not release.endswith(CANNOT)


def test_the_latest_of_several_causes_comes_first_and_the_others_are_counted() -> None:
    found = ask(OWN, OWN.replace("orders", "bills"), MEMORY.format("set") + ".")
    assert found.held is not None
    assert (found.held.place, found.others) == ("node rabbit@a", 2)
    assert [each.partition(" since ")[0] for each in found.beside] == [
        "bills, by max-size-bytes",
        "orders, by max-size-bytes",
    ]


def test_a_client_that_knows_no_limit_stands_behind_a_broker_that_does() -> None:
    found = ask(OWN, "AMQ212054: Destination address=orders is blocked. If")
    assert (found.state, found.others) == (State.BLOCKED, 0)


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (OWN, UNBLOCKED),
        (OWN.replace("orders", "a.b"), UNBLOCKED.replace("orders", "a.b")),
        (OWN.replace("'orders'", "a.b"), UNBLOCKED.replace("'orders'", "a.b")),
        ("AMQ222212: Disk Full! Blocking message production on address 'orders'. Clients", UNBLOCKED),
        ("AMQ222210: Storage usage is beyond max-disk-usage. S", "AMQ222211: Storage is back to stable now, under max"),
        (
            "AMQ224114: Address control block, blocking message production on address 'o'. C",
            "AMQ224115: Address control unblock of address 'o'. C",
        ),
        (MEMORY.format("set") + ".", MEMORY.format("cleared")),
        (MEMORY.format("set") + ".", "memory resource limit alarm cleared across the cluster"),
        ("Global flow control enabled.", "Global flow control disabled."),
        (
            "[vh(/test)/ms(x)] MST-1008 : Store overfull, flow control will be enforced",
            "[vh(/test)/ms(x)] MST-1009 : Store overfull condition cleared",
        ),
        ("Broker enforced flow control has been enforced", "Broker enforced flow control no longer in effect"),
        (
            "AMQ224120: Queue q on Address o has more messages than configured page limit. PageLimitMesages=1 while c",
            "AMQ224122: Address o number of messages is under page limit again, and it should b",
        ),
        (
            "AMQ224128: Free storage space is at 1MB which is below the configured <min-disk-free>. System will sta",
            "AMQ224129: Free storage space is at 9MB which is above the configured <min-disk-free>. System will unb",
        ),
        (
            "alarm_handler: {set,{{resource_limit,disk,'rabbit@a'},[]}}",
            "alarm_handler: {clear,{resource_limit,disk,'rabbit@a'}}",
        ),
        (OWN, "AMQ224113: Auto removing address orders"),
        (OWN, "AMQ221000: live Message Broker is starting with configuration"),
        (STOPPED, CHANNEL + "CHN-1003 : Close"),
    ],
)
def test_each_line_of_a_release_ends_what_it_is_about(begin: str, end: str) -> None:
    assert ask(begin).held is not None
    assert ask(begin, end).state is State.NOT_BLOCKED


def test_the_figures_of_rabbitmq_stand_in_the_line_before_the_alarm() -> None:
    told = held("vm_memory_high_watermark set. Memory used:420 allowed:400", MEMORY.format("set") + ".")
    assert (told.limit, told.level, told.missing) == (400, 420, 20)


def test_classic_says_how_long_and_that_its_log_tells_no_release() -> None:
    line = (
        "2026-11-25 10:05:01,000 | INFO  | Usage Manager Store is Full. Stopping producer (ID:a:1) to prevent flooding "
        "queue://A. See http://x for more info (blocking for: 301s)"
    )
    told = held(line)
    assert told.since == "2026-11-25 10:00:00"
    assert held(line.removeprefix("2026-11-25 ").replace("10:05:01", "00:05:00")).since == "23:59:59"
    assert "does not tell when a stop ends" in told.caveat


def test_alarms_of_memory_and_disk_of_a_cluster_are_told_apart() -> None:
    disk = "disk resource limit alarm {} on node rabbit@b"
    lines = (
        MEMORY.format("set") + ".",
        disk.format("set") + ".",
        "*** Publishers will be blocked until this alarm clears ***",
    )
    found = ask(*lines)
    assert found.held is not None
    assert (found.held.setting, found.held.place, found.others) == ("disk_free_limit", "node rabbit@b", 1)
    found = ask(*lines, disk.format("cleared"))
    assert found.held is not None
    assert (found.state, found.held.place) == (State.BLOCKED, "node rabbit@a")
    banner = "*** Publishers will be blocked until this alarm clears ***"
    found = ask(*lines, banner, disk.format("cleared"), MEMORY.format("cleared"))
    assert found.state is State.NOT_BLOCKED


def test_the_figures_of_rabbitmq_alone_say_the_same() -> None:
    told = held(
        "=INFO REPORT==== 20-Nov-2017::10:30:04 ===", "Free disk space is insufficient. Free bytes: 40. Limit: 100"
    )
    assert (told.setting, told.told) == ("disk_free_limit", "40 bytes free, 100 bytes asked for; 60 bytes are missing")
    lines = ("vm_memory_high_watermark set. Memory used:2 allowed:1", "vm_memory_high_watermark clear. Memory used:1")
    assert ask(*lines[:1]).state is State.BLOCKED
    assert ask(*lines).state is State.NOT_BLOCKED


def test_figures_below_the_watermark_end_the_alarm_that_they_set() -> None:
    used = "vm_memory_high_watermark {}. Memory used:{} allowed:2"
    own, other = MEMORY.format("set") + ".", "memory resource limit alarm set on node rabbit@b."
    assert ask(own, used.format("clear", 1)).state is State.NOT_BLOCKED
    told = held(used.format("set", 3), own, other, used.format("clear", 1))
    assert told.place == "node rabbit@b"


def test_a_release_alone_says_that_nothing_is_blocked_any_more() -> None:
    found = ask("nothing", f"10:00:05 {UNBLOCKED}")
    assert (found.state, found.let_go, found.held) == (State.NOT_BLOCKED, "a.log:2, at 10:00:05", None)
    assert ask(UNBLOCKED, OWN).state is State.BLOCKED
    assert ask(UNBLOCKED, asked=Asked(queue="orders")).state is State.NOT_BLOCKED
    assert ask(UNBLOCKED, asked=Asked(queue="bills")).state is State.UNKNOWN
    assert ask(RELEASED, asked=Asked(client="con:9(")).state is State.UNKNOWN
    assert ask(CHANNEL + "CHN-1003 : Close", QUEUE + "QUE-1002 : Delete").state is State.UNKNOWN


def test_a_node_that_starts_ends_what_lines_before_announced() -> None:
    banner = "*** Publishers will be blocked until this alarm clears ***"
    assert ask(banner).state is State.LIMIT_UNKNOWN
    assert ask(banner, "Starting RabbitMQ 3.6.15 on Erlang 19.3.6.4").state is State.UNKNOWN


def test_a_send_that_waited_and_was_then_refused_is_told_by_the_refusal() -> None:
    waited = "org.apache.qpid.jms.JmsSendTimedOutException: Timed out waiting for disposition of sent Message"
    refused = "javax.jms.ResourceAllocationException: Usage Manager Memory Limit reached. Stopping producer (ID:a) to p"
    found = ask(waited, refused)
    assert found.state is State.NOT_BLOCKED
    assert ask(refused, waited).state is State.LIMIT_UNKNOWN


def test_a_name_in_quotes_ends_with_them() -> None:
    assert held("AMQ222038: Starting paging on address 'a b'   <- a note").place == "address a b"


def test_alarms_of_a_status_are_one_for_each_node() -> None:
    found = ask(
        "{alarms, [{rabbit@a,[{memory_alarm,{resource_limit,memory,rabbit@a}}]},",
        "          {rabbit@b,[{memory_alarm,{resource_limit,memory,rabbit@b}}]}]},",
    )
    assert (found.held and found.held.place, found.others) == ("node rabbit@b", 1)


def test_a_line_that_was_wrapped_is_read_as_one() -> None:
    told = held(
        "INFO | Usage(default:store:queue://A:store) percentUsage=99%,",
        "usage=1000, limit=1000: Persistent store is Full, 100% of 1000.",
        "Stopping producer (ID:a-1:1:1) to prevent flooding queue://A.",
        "See http://x for more info (blocking for: 10800s)",
    )
    assert (told.setting, told.limit, told.clients) == ("storeUsage", 1000, ("ID:a-1:1:1",))
    told = held("INFO | Usage Manager Memory Limit reached on queue://FOO. Producers will be", "throttled to the rate")
    assert told.place == "destination queue://FOO"


def test_what_is_left_of_a_line_tells_what_is_full_and_no_more() -> None:
    assert (
        held("org.springframework.jms.ResourceAllocationException: Usage Manager Store is Full").setting == "storeUsage"
    )
    assert held("Usage Manager Temp Store is Full").setting == "tempUsage"
    told = held(
        "TopicSubscription: consumer=ID:a, destinations=1: Pending message cursor [org.apache.x@7] is full, temp "
        "usag (126%) or memory usage (69%) limit reached, blocking message add() pending the release of resources."
    )
    assert (told.setting, told.told) == ("tempUsage", "126% of the temporary space and 69% of the memory used")


def test_a_time_a_queue_and_a_client_choose() -> None:
    lines = (f"10:00:01 {OWN}", f"10:00:05 {UNBLOCKED}", f"10:00:06 {OWN.replace('orders', 'bills')}")
    at = stamp("10:00:03")
    assert at is not None
    assert ask(*lines, asked=Asked(at=at[0])).held.place == "address orders"  # type: ignore[union-attr]
    assert ask(*lines, asked=Asked(queue="orders")).state is State.NOT_BLOCKED
    assert ask(*lines, asked=Asked(queue="bills")).state is State.BLOCKED
    assert ask(STOPPED, asked=Asked(client="con:3(")).state is State.UNKNOWN


def test_a_time_with_a_date_is_compared_with_its_date() -> None:
    at = stamp("2026-11-25T10:00:00")
    assert at is not None
    assert ask(f"2026-11-24 23:00:00 {OWN}", asked=Asked(at=at[0])).state is State.BLOCKED
    assert ask(f"2026-11-26 09:00:00 {OWN}", asked=Asked(at=at[0])).state is State.UNKNOWN


@pytest.mark.parametrize(
    ("text", "hour"),
    [("Nov 25, 2026 1:00:01 PM", 13), ("Nov 25, 2026 12:00:01 AM", 0), ("Nov 25, 2026 12:00:01 PM", 12)],
)
def test_java_util_logging_counts_twelve_hours(text: str, hour: int) -> None:
    found = stamp(text)
    assert found is not None
    assert (found[0].moment.hour, found[0].text) == (hour, text)


def test_a_broker_that_starts_ends_what_it_held_and_nothing_of_another() -> None:
    start = "2026-11-25 10:00:05 AMQ221000: live Message Broker is starting with configuration"
    logs = [("a", f"2026-11-25 10:00:01 {OWN}\n"), ("b", f"{start}\n")]
    found = answer(read([(name, io.BytesIO(text.encode())) for name, text in logs]), Asked())
    assert found.state is State.BLOCKED


def test_files_are_read_in_the_order_of_their_times() -> None:
    broker = f"2026-11-25 10:00:05 {UNBLOCKED}\n".encode()
    other = f"2026-11-25 10:00:01 {OWN}\n".encode()
    found = answer(read([("b", io.BytesIO(broker)), ("a", io.BytesIO(other))]), Asked())
    assert found.state is State.NOT_BLOCKED


@pytest.mark.parametrize(
    ("log", "state", "place", "setting", "limit"),
    [
        ("artemis-2.44.0", State.BLOCKED, "address s73.destination", "the operation block()", None),
        ("artemis-core-2.44.0", State.NOT_BLOCKED, "address s100.address", "max-size-bytes", 1_000_000),
        ("classic-6.3.1", State.BLOCKED, "destination queue://s91.orders", "memoryLimit or memoryUsage", 6_000_000),
        ("classic-4.1.2", State.UNKNOWN, None, None, None),
        ("qpid-0.18", State.NOT_BLOCKED, "queue test/s140.destination", "capacity", 1000),
        ("qpid-10.1.0", State.NOT_BLOCKED, "queue test/s585.destination", "maximumQueueDepthBytes", 200_000),
    ],
)
def test_logs_of_real_brokers_are_answered(
    log: str, state: State, place: str | None, setting: str | None, limit: int | None
) -> None:
    path = ROOT / "tests" / "runs" / f"{log}.log"
    with path.open("rb") as file:
        found = answer(read([(path.name, file)]), Asked())
    told = found.held
    assert found.state is state
    assert (told and told.place, told and told.setting, told and told.limit) == (place, setting, limit)


@pytest.mark.parametrize(
    ("log", "state", "place"),
    [
        ("artemis-2.6.4.log", State.BLOCKED, "address blocks.orders"),
        ("artemis-2.20.0-fr.log", State.NOT_BLOCKED, "address blocks.disk"),
        ("artemis-2.50.0.log", State.NOT_BLOCKED, "address blocks.disk"),
        ("rabbitmq/rabbitmq-3.10.8.log", State.NOT_BLOCKED, "node tidegatelogs@localhost"),
        ("qpid-store/derby-10.1.0.log", State.NOT_BLOCKED, "virtual host d9"),
        ("classic/classic-5.18.6.log", State.NOT_BLOCKED, "destination queue://bulk"),
        ("clients/qpid-client-6.4.0.log", State.LIMIT_UNKNOWN, ""),
        ("clients/artemis-client-2.44.0.log", State.LIMIT_UNKNOWN, "address orders"),
    ],
)
def test_logs_of_more_versions_are_answered(log: str, state: State, place: str) -> None:
    with (ROOT / "tests/pipeline/logs" / log).open("rb") as file:
        found = answer(read([(log, file)]), Asked())
    assert found.held is not None
    assert (found.state, found.held.place) == (state, place)


MARKS = st.sampled_from(
    [
        OWN,
        OVERFULL,
        STOPPED,
        RELEASED,
        '"main" #1 prio=5 tid=0x1',
        "   java.lang.Thread.State: WAITING",
        "\tat org.apache.qpid.transport.Session.acquireCredit(Session.java:1)",
        "\tat java.lang.Object.wait(Native Method)",
        '{"global":[],"local":["x"]}',
        '{"message":["x"],"timestampSeconds":1}',
        "}",
        "--",
        "MESSAGE=",
        "1795600801123 ",
        "AMQ222210: ",
        "Usage(",
        "QUE-1003 : ",
        "{",
        '"log":"',
        "=WARNING REPORT====",
        "\x1b[",
        "2026-13-45 99:99:99",
        "[",
        "(",
        "| ",
        "'",
        "Usage Manager Memory Limit reached. ",
        "\u00a0",
        "\r",
        "\0",
    ]
)


@given(
    st.lists(
        st.one_of(st.binary(max_size=60), MARKS.map(str.encode), st.text(max_size=30).map(str.encode)), max_size=12
    )
)
def test_any_bytes_give_an_answer(parts: list[bytes]) -> None:
    for glue in (b"", b"\n"):
        answer(read([("-", io.BytesIO(glue.join(parts)))]), Asked())


def test_the_command_answers_and_says_by_its_exit_code_whether_it_could(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(OWN)
    told = tidegate("why", "a.log", folder=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert "at least 201 bytes must go" in told.stdout
    assert "spec/artemis/block.md" in told.stdout
    as_json = json.loads(tidegate("why", "a.log", "--json", folder=tmp_path).stdout)
    assert as_json["held"]["missing"] == 201
    log.write_text("nothing of the kind")
    assert tidegate("why", "a.log", folder=tmp_path).returncode == 3


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("none.log",), "expected a log that can be read"),
        (("empty",), "empty: expected a folder with logs (*.log, rotated or packed too) that are not empty"),
        (("a.log", "--at", "noon"), "expected a time"),
        (("a.log", "--date", "today"), "expected a date"),
        (("a.log", "--at", "10:00:00"), "expected lines with times"),
        (
            ("broker.xml",),
            "a configuration alone does not show who is blocked, tidegate explain reads it; expected logs",
        ),
        (("a.log.gz",), "read to their end"),
        (("a.zip",), "unpack it first"),
        (("a.log", "--zone", "Nowhere"), "expected a zone"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], word: str, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(OWN)
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(OWN.encode())[:-9])
    (tmp_path / "broker.xml").write_text("<configuration xmlns='urn:activemq'><core/></configuration>")
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and so on")
    (tmp_path / "empty").mkdir()
    told = tidegate("why", *arguments, folder=tmp_path)
    assert told.returncode == 2
    assert word in told.stderr
    assert "Traceback" not in told.stderr
    assert told.stderr.count("\n") == 1


def test_what_to_ask_is_of_the_brokers_that_the_lines_are_of(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("2026-11-25 10:00:01 AMQ221007: Server is now live\n")
    told = tidegate("why", "a.log", folder=tmp_path)
    assert (told.returncode, told.stdout.count("ask "), "artemis: look up AMQ222183" in told.stdout) == (3, 1, True)


def test_a_first_line_without_a_time_began_at_that_of_the_next_at_the_latest() -> None:
    line = "AMQ222212: Disk Full! Blocking message production on address 'o'. Clients"
    told = held(line, f"10:00:01,123 WARN {line}", f"10:00:05,123 WARN {line}")
    assert (told.since, told.line) == ("10:00:01,123 at the latest", 1)
    assert held(line, "10:00:01,123 INFO another line").since is None


def test_a_terminal_that_is_waited_for_is_told_so() -> None:
    ours, terminal = pty.openpty()
    with os.fdopen(ours, "wb", buffering=0) as keyboard, os.fdopen(terminal) as keys:
        keyboard.write(OVERFULL.encode() + b"\n\x04")
        command = [sys.executable, "-m", "tidegate.cli", "why", "-"]
        told = subprocess.run(command, stdin=keys, capture_output=True, text=True, timeout=60)
    assert told.stderr == "Paste lines of a log, and end with Ctrl-D on a line of its own.\n"
    assert told.stdout.startswith("Blocked (-:1, without a time)")


def test_what_was_not_asked_for_is_named_where_nothing_else_is_told(tmp_path: Path) -> None:
    lines = (f"2026-11-25 10:00:01 {OVERFULL}", f"2026-11-25 10:05:00 {UNDERFULL}")
    (tmp_path / "a.log").write_text("\n".join(lines), encoding="utf-8")
    nothing = "No line tells of a stop at the asked queue, client or time; the lines tell of test/orders."
    for option, said in (
        (("--queue", "order"), nothing),
        (("--at", "09:59"), nothing),
        (("--at", "10:01"), "Blocked since 2026-11-25 10:00:01 (a.log:1)"),
        (("--at", "2026-11-25T10:06"), "Nothing is blocked at 2026-11-25T10:06:00. Last blocked:"),
        ((), "Nothing is blocked at the end of these lines. Last blocked:"),
    ):
        assert tidegate("why", "a.log", *option, folder=tmp_path).stdout.startswith(said), option


def test_a_start_with_its_settings_ends_what_was_blocked_before() -> None:
    server = "INFO  [org.apache.activemq.artemis.core.server] "
    start = "AMQ221000: live Message Broker is starting with configuration Broker Configuration (clustered=false,"
    found = ask(
        "2026-11-25 10:00:01,000 WARN AMQ222212: Disk Full! Blocking message production on address 'orders'.",
        f"2026-11-25 10:05:00,000 {server}{start}journalDirectory=data/journal,bindingsDirectory=data/bindings)",
    )
    assert found.state is State.NOT_BLOCKED
    assert not found.aside


STOP_LINES = {
    "artemis": (
        "AMQ222212: Disk Full! Blocking message production on address 'orders'. Clients will report blocked.",
        "AMQ221002: Apache ActiveMQ Artemis Message Broker version 2.44.0 [77a1-0c] stopped, uptime 3 minutes",
    ),
    "classic": (
        "Usage Manager Memory Limit reached on queue://orders. Producers will be throttled",
        "Apache ActiveMQ 5.18.6 (localhost, ID:shop-40000-1-0:1) is shutdown",
    ),
    "qpid": (OVERFULL, "[Broker] BRK-1005 : Stopped"),
    "rabbitmq": (
        "memory resource limit alarm set on node rabbit@shop.",
        "Successfully stopped RabbitMQ and its dependencies",
    ),
}


@pytest.mark.parametrize("broker", STOP_LINES)
def test_a_broker_that_stopped_blocks_nobody(broker: str) -> None:
    blocked, stopped = STOP_LINES[broker]
    assert ask(f"2026-11-25 10:00:01 {blocked}").state is State.BLOCKED
    assert ask(f"2026-11-25 10:00:01 {blocked}", f"2026-11-25 10:05:00 {stopped}").state is State.NOT_BLOCKED
    again = ask(*(f"2026-11-25 10:0{minute}:00 {line}" for minute, line in enumerate((blocked, stopped, blocked))))
    assert again.state is State.BLOCKED
    assert again.held is not None
    assert again.held.since == "2026-11-25 10:02:00"


def test_an_address_that_paged_blocked_nobody(tmp_path: Path) -> None:
    figures = (
        "'orders'; size={} bytes ({} messages); maxSize=2000 bytes (-1 messages); globalSize=3030 bytes (9 messages)"
    )
    lines = (
        f"2026-11-25 10:00:01,000 INFO AMQ222038: Starting paging on address {figures.format(2020, 3)}",
        f"2026-11-25 10:05:00,000 INFO AMQ224108: Stopped paging on address {figures.format(10, 1)}",
    )
    (tmp_path / "artemis.log").write_text("\n".join(lines), encoding="utf-8")
    first, *_ = tidegate("why", "artemis.log", folder=tmp_path).stdout.splitlines()
    span = "from 2026-11-25 10:00:01,000 until 2026-11-25 10:05:00,000"
    free = "Nothing is blocked at the end of these lines."
    assert first == f"{free} Earlier, {span}: sends to address orders go on."


ALL = "[con:7(guest@/127.0.0.1:40000/shop)/ch:0] CHN-1005 : Flow Control Enforced (Queue ** All Queues **)"


@pytest.mark.parametrize(
    "line",
    [
        "[con:7(till-1@/127.0.0.1:40000/shop)/ch:0] CHN-1003 : Close",
        "[con:7(till-1@/127.0.0.1:40000/shop)] CON-1002 : Close",
        "[Broker] [vh(/shop)/ms(DerbyMessageStore)] MST-1003 : Closed",
        "[Broker] [vh(/shop)] VHT-1002 : Closed",
    ],
)
def test_a_channel_or_virtual_host_that_is_gone_is_held_by_no_store(line: str) -> None:
    assert ask(ALL, line).state is State.NOT_BLOCKED
    assert ask(ALL, line.replace("con:7(", "con:77(").replace("/shop", "/other")).state is State.LIMIT_UNKNOWN


def test_the_resume_level_of_another_capacity_is_not_taken() -> None:
    again = QUEUE + "QUE-1003 : Overfull : Size : 700 bytes, Capacity : 600"
    assert held(OVERFULL, UNDERFULL, OVERFULL).resume == 800
    assert held(OVERFULL, UNDERFULL, again).resume is None
    underfull = QUEUE + "QUE-1004 : Underfull : Size : 400 bytes, Resume Capacity : 480"
    assert held(OVERFULL, UNDERFULL, again, underfull, again).missing == 220


def test_a_refusal_after_the_last_stop_is_told() -> None:
    refused = 'AMQ229102: Address "till" is full.'
    limited = "AMQ224123: Address till has more pages than allowed. System currently has 6 pages"
    told = held(OWN, UNBLOCKED, limited, refused)
    assert (told.place, told.sends) == ("address till", "fail")
    assert held(refused, OWN, UNBLOCKED).until == "line 3"


def test_of_two_that_stand_the_one_with_a_name_is_told() -> None:
    cut_off = "[con:7(guest@/127.0.0.1:40000/test)/ch:0] CHN-1005 : Flow Control Enforced (Queue ord"
    assert held(OVERFULL, cut_off).place.endswith("orders")


def test_where_no_line_names_a_broker_its_own_log_is_asked_for() -> None:
    (hint,) = ask("nothing happens").hints
    assert "no line names a broker" in hint
    (hint,) = ask("rabbit is slow").hints
    assert hint.startswith("rabbitmq: ")
    assert "list_connections name state" in hint
    artemis, classic = ask("a producer of ActiveMQ hangs").hints  # which of the two it is, is not told
    assert "AMQ222183" in artemis
    assert "`Usage Manager`" in classic


def test_of_one_line_it_is_not_said_that_it_ended_in_between() -> None:
    line = "AMQ212054: Destination address=till is blocked."
    assert "in between" not in held(line).caveat
    assert "in between" in held(line, line).caveat


def test_a_send_that_gave_up_is_not_called_blocked() -> None:
    text = shown(ask("AMQ219014: Timed out after waiting 30,000 ms for response when sending packet 71"))
    assert text.startswith("Waited in vain (a.log:1, without a time): a Core client.")


def test_a_full_store_without_a_destination_holds_up_who_sends_persistent_messages() -> None:
    assert "every producer of persistent messages." in shown(ask("StorePercentUsage = 104"))


def test_flow_control_of_all_channels_holds_up_every_producer() -> None:
    assert "every producer of the broker." in shown(
        ask("Stores became non-operational. Enabling error-based flow control.")
    )


def test_an_answer_about_a_stop_that_is_over_says_whom_to_ask_if_a_send_still_hangs() -> None:
    over = shown(ask(OWN, UNBLOCKED))
    assert "ask      if a send still hangs, these lines do not show why: management of address" in over
    cleared = shown(ask("memory resource limit alarm cleared on node rabbit@a"))
    assert "ask      if a send still hangs, these lines do not show why: rabbitmq: `rabbitmq-diagnostics" in cleared
    paging = "AMQ222038: Starting paging on address 'orders'; size is currently: 1,200 bytes; max-size-bytes: 1,000"
    assert "still hangs" not in shown(ask(paging))


def test_a_stop_of_an_address_without_figures_names_every_limit_that_may_be_reached() -> None:
    told = held("AMQ222183: Blocking message production on address 'orders'")
    for setting in ("max-size-bytes", "max-size-messages", "global-max-size", "global-max-messages"):
        assert setting in told.reason
    assert told.place == "address orders"
    assert told.setting == ""


@pytest.mark.parametrize("logger", ["AMQSession", "AMQSession_0_8", "BasicMessageProducer_0_10"])
def test_a_class_of_a_client_without_its_package_stands_in_front_of_its_message(logger: str) -> None:
    line = f"WARN {logger} - Message send delayed by 5s due to broker enforced flow control"
    assert (held(line).clients, held(line).before) == (("a client",), 5)
    assert ask(line.replace(logger, "OrderSender")).held is None


FULL = (
    "2026-11-20 10:00:{} WARN AMQ222210: Storage usage is beyond max-disk-usage. System will start blocking producers."
)
STABLE = "2026-11-20 10:00:{} WARN AMQ222211: Storage is back to stable now, under max-disk-usage."


def test_a_file_with_the_newest_line_first_is_read_from_its_end() -> None:
    found = ask("2026-11-20 10:00:59,000 INFO ready", STABLE.format("09,000"), FULL.format("01,000"))
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert (found.held.since, found.held.until) == ("2026-11-20 10:00:01,000", "2026-11-20 10:00:09,000")
    assert ask(FULL.format("09,000"), STABLE.format("01,000")).state is State.BLOCKED


def test_lines_that_are_in_no_order_stay_as_they_are() -> None:
    assert (
        ask(STABLE.format("05,000"), FULL.format("09,000"), "2026-11-20 10:00:01,000 INFO ready").state is State.BLOCKED
    )


def test_a_short_name_in_front_of_a_time_is_no_weekday() -> None:
    found = ask(f"till-0 mq {FULL.format('01,000')}")
    assert found.held is not None
    assert found.held.since == "2026-11-20 10:00:01,000"


def test_the_figures_of_a_full_disk_are_told_for_each_address_that_it_blocks() -> None:
    full = (
        "AMQ222210: Free storage space is at 4.1GB of 50GB total. Usage rate is 91.8% which is beyond the configured "
    )
    lines = (
        f"2026-11-20 10:02:00,401 WARN  [s] {full}<max-disk-usage>. System will start blocking producers.",
        "2026-11-20 10:02:03,118 WARN  [s] AMQ222212: Disk Full! Blocking message production on address 'sales'. "
        "Clients will report blocked.",
    )
    told = ask(*lines, asked=Asked(queue="sales")).held
    assert told is not None
    assert (told.place, told.told) == ("address sales", "91.8% used, 4.1GB of 50GB free")


def test_the_space_of_one_node_ends_only_the_alarm_with_its_figures() -> None:
    alarm = "2026-11-20 10:0{}:00.1 [warning] <0.215.0> disk resource limit alarm set on node 'rabbit@mq{}'."
    space = "2026-11-20 10:0{}:00.1 [info] <0.217.0> Free disk space is {}. Free bytes: {}. Limit: 50000000"
    told = held(
        space.format(0, "insufficient", 36388864), alarm.format(0, 1), alarm.format(1, 2),
        space.format(3, "sufficient", 90388864),
    )  # fmt: skip
    assert (told.place, told.until) == ("node rabbit@mq2", None)


def test_a_name_in_the_doubled_quotes_of_yaml_is_the_name() -> None:
    text = (
        "textPayload: '2026-11-20 10:00:00,501 WARN  [s] AMQ224114: Address control block, blocking message production"
    )
    assert held(f"{text} on address ''sales''. Clients will not get further credit.'").place == "address sales"


CLIENT_LINE = "{time}Z WARN AMQ212054: Destination address={place} is blocked. If the system is configured to block"
SIZES = "size=1200 bytes (3 messages); maxSize=1000 bytes (-1 messages); globalSize=1200 bytes (3 messages);"
BLOCKING = "{time} WARN AMQ222183: Blocking message production on address '{place}'; " + SIZES
ROOM = SIZES.replace("1200", "900")
UNBLOCKING = "{time} INFO AMQ221046: Unblocking message production on address '{place}'; " + ROOM


def test_a_client_tells_of_the_stop_that_a_broker_tells_and_ends() -> None:
    orders = {"place": "orders"}
    blocking = BLOCKING.format(time="2026-11-28 09:00:00,000", **orders)
    client = CLIENT_LINE.format(time="2026-11-28T09:00:10.000", **orders)
    unblocking = UNBLOCKING.format(time="2026-11-28 09:05:00,000", **orders)
    later = CLIENT_LINE.format(time="2026-11-28T09:06:00.000", **orders)
    standing = ask(blocking, client)
    assert standing.state is State.BLOCKED and standing.others == 0
    assert ask(blocking, client, unblocking).state is State.NOT_BLOCKED
    assert ask(blocking, unblocking, later).state is State.LIMIT_UNKNOWN
    assert ask(blocking.replace("orders", "bills"), client).others == 1


def test_of_two_brokers_nobody_knows_which_one_stops_a_client() -> None:
    blocking = BLOCKING.format(time="2026-11-28 09:00:00,000", place="orders")
    client = CLIENT_LINE.format(time="2026-11-28T09:00:10.000", place="orders")
    unblocking = UNBLOCKING.format(time="2026-11-28 09:05:00,000", place="orders")
    lines = [f"mq-1  | {blocking}", f"mq-2  | {blocking}", f"app-1 | {client}"]
    found = ask(*lines, f"mq-1  | {unblocking}", f"mq-2  | {unblocking}")
    assert found.state is State.LIMIT_UNKNOWN


def test_a_stop_that_began_before_its_line_keeps_the_day_of_the_line() -> None:
    line = "Usage Manager Memory Limit reached. Producer (ID:a-1-2-3:1) stopped to prevent flooding queue://orders."
    for time, since in (("Nov 28 00:00:20 mq1 activemq[7]:", "Nov 27 23:59:50"), ("00:00:20", "23:59:50")):
        held = ask(f"{time} {line} See http://a.example (blocking for: 30s)").held
        assert held is not None and held.since == since


def test_what_may_refuse_sends_counts_more_than_an_earlier_stop_that_is_over() -> None:
    logger = "[org.apache.activemq.artemis.core.server]"
    stop = (
        f"2026-11-30 10:00:00,000 WARN  {logger} AMQ222183: Blocking message production on address 'sales'; size is "
        "currently: 70,000 bytes; max-size-bytes on address: 50,000, global-max-size is -1"
    )
    free = (
        f"2026-11-30 10:01:00,000 INFO  {logger} AMQ221046: Unblocking message production on address 'sales'; size is "
        "currently: 40,000 bytes; max-size-bytes: 50,000"
    )
    pages = (
        f"2026-11-30 10:07:00,000 WARN  {logger} AMQ224123: Address returns has more pages than allowed. System "
        "currently has 7 pages, while the estimated max number of pages is 6 based on the page-limit-bytes (60000) / "
        "page-size (9000)"
    )
    assert held(stop, free, pages).place == "address returns"


def test_a_channel_that_is_closed_because_a_queue_refuses_is_a_refusal() -> None:
    channel = "[con:7(till@/10.0.0.9:4000/shop)/ch:0:7a-7b]"
    refused = held(
        f"2026-11-30T10:00:00,700Z INFO  [IO-/10.0.0.9:4000] (q.m.c.close_forced) - {channel} {channel} CHN-1003 : "
        "Close : 506 - No route for message with destination '' and routing key 'sales' : "
        "Maximum depth exceeded on 'sales' : current=[count: 7, size: 700], max=[count: -1, size: 600]"
    )
    assert (refused.place, refused.sends, refused.limit) == ("queue sales", "fail", 600)
