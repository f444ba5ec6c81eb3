"""Stops that somebody reports in words of their own: each is an *if so*, and guides and requests are none."""

import pytest

from tests.why.asking import ask
from tidegate.why.answer import State
from tidegate.why.show import shown

MEMORY, DISK = "vm_memory_high_watermark", "disk_free_limit"
REPORTS = [
    # lines, setting
    (("Since noon our till hangs in publish.", "RabbitMQ has a memory alarm, so our senders are blocked."), MEMORY),
    (("rabbit: publish() never returns once the node is over the memory watermark",), MEMORY),
    (("We use RabbitMQ.", "Yesterday the memory alarm blocked every till."), MEMORY),
    (("RabbitMQ ran out of disk space and our shops were stuck",), DISK),
    (("the free space alarm of RabbitMQ seems to be blocking the till",), DISK),
    (("The till is stuck: RabbitMQ refuses messages because the queue is full",), "max-length or max-length-bytes"),
    (("Artemis: our tills were blocked", "as the volume was past max-disk-usage."), "max-disk-usage"),
    (("ActiveMQ: our tills were stuck, the broker had reached its memory limit",), "memoryLimit or memoryUsage"),
    (("On ActiveMQ our producers hang because the persistent store is full of old orders",), "storeUsage"),
    (("The till hangs in publish.", "RabbitMQ shows a memory alarm on one node."), MEMORY),
    (("The RabbitMQ log says that the free disk space is below the limit.", "Since then our till is stuck."), DISK),
    (("[FIRING] RabbitMQ: disk alarm on node rabbit@till", "tills are blocked"), DISK),
    (("Seit heute hängt die Kasse, RabbitMQ hat einen memory alarm",), MEMORY),
    (("artemis says there are only 2.1gb of free disk and our tills hang",), "max-disk-usage"),
    (("The volume of our Artemis is 96% full, so all tills are blocked",), "max-disk-usage"),
    (("ActiveMQ: our tills hang, the temp usage is at 100%",), "tempUsage"),
    (("ActiveMQ: our tills hang, the store is at 104 %",), "storeUsage"),
    (("ActiveMQ: the till hangs.", "In the console store percent used is 100."), "storeUsage"),
    (("artemis: our tills hang.", "Found out it's the disk: 97% used"), "max-disk-usage"),
    (("artemis: the till hangs because the address till.in is full and max-size-bytes is reached",), "max-size-bytes"),
    (("La caja se queda colgada, RabbitMQ tiene un disk alarm",), DISK),
    (("Pulsar: our tills hang since the topic exceeded its backlog quota",), "backlog quota"),
    (("On qpid our tills were blocked because the queue was overfull",), "capacity"),
    (("The memory alarm of RabbitMQ", "is preventing publishes"), MEMORY),
    (("Our artemis reached the disk size limit and stopped accepting messages",), "max-disk-usage"),
    (("RabbitMQ was over its disk space threshold, and our tills were stuck",), DISK),
    (("ActiveMQ: die Kasse steht seit heute.", 'In der Konsole steht bei "Store percent used" 100.'), "storeUsage"),
    (("RabbitMQ's disk alarm kept blocking the till",), DISK),
    (
        (
            "Our RabbitMQ ran out of memory, triggering the memory alarm.",
            "All our till connections were in state blocked.",
        ),
        MEMORY,
    ),
]


@pytest.mark.parametrize(("lines", "setting"), REPORTS)
def test_a_report_tells_what_its_limit_would_mean(lines: tuple[str, ...], setting: str) -> None:
    found = ask(*lines)
    assert found.state is State.UNKNOWN
    assert found.quoted is not None
    assert found.quoted.setting == setting


def test_credit_flow_is_told_without_a_setting() -> None:
    found = ask("No node of RabbitMQ has an alarm, and the till is blocked by credit flow")
    assert found.quoted is not None
    assert "credit flow" in found.quoted.reason


def test_an_alarm_counts_more_than_the_flow_control_that_follows_it() -> None:
    found = ask("The till hangs since RabbitMQ has a disk alarm and does flow control")
    assert found.quoted is not None
    assert found.quoted.setting == DISK


NO_REPORTS = [
    # a guide, a request, a denial, a guess, a list of limits, a program, another product, a setting
    ("RabbitMQ blocks publishers when the memory high watermark is crossed.",),
    ("If your publishers hang, check RabbitMQ for a memory alarm.",),
    ("Publishers of RabbitMQ should get an error if a disk alarm blocks them",),
    ("Please add a timeout: publish hangs under a memory alarm of RabbitMQ",),
    ("Our till hangs although RabbitMQ does not have a memory alarm",),
    ("We suspect that a memory alarm of RabbitMQ blocked our till",),
    ("Our till was blocked, for RabbitMQ had a memory alarm, and a disk alarm as well",),
    ("Our till was blocked by RabbitMQ.", "    raise Stopped('memory alarm');"),
    ("Our till hangs, the disk is full",),
    ("publishers of RabbitMQ hang", "vm_memory_high_watermark_paging_ratio = 0.5"),
    ("Is the till blocked because RabbitMQ ran out of disk space?",),
    ("Our till hangs.", "RabbitMQ has no memory alarm."),
    ("Our till hangs.", "RabbitMQ has no disk alarm."),
    ("Our till hangs, but the memory alarm of RabbitMQ was cleared hours ago",),
    ("Our till hangs.", "The RabbitMQ docs describe a memory alarm."),
    ("Our till hangs.", "We read mails of others.", "RabbitMQ has a memory alarm, said one."),
    ("Our till hangs although the volume of Artemis isn't over max-disk-usage",),
    ("ActiveMQ: our till hangs, the temp usage is at 10%",),
    ("ActiveMQ: our till hangs, the console says store percent used is 10",),
    ("Our till hangs, and the disk of our laptop is 96% full",),
    ("While a memory alarm is blocking RabbitMQ, the till should wait.",),
    ("If a memory alarm is preventing publishes to RabbitMQ, consume.",),
    ("The memory alarm of RabbitMQ is not blocking consumers.",),
    ("The memory alarm of RabbitMQ is hardly preventing publishes.",),
    ("ActiveMQ: die Kasse steht seit heute.", 'In der Konsole steht bei "Store percent used" 10.'),
    ("Artemis: what happens if the disk size limit is reached and producers are blocked",),
    ("RabbitMQ has a memory alarm.", "Then connections are blocked."),
]


@pytest.mark.parametrize("lines", NO_REPORTS)
def test_what_is_no_report_of_one_limit_tells_nothing(lines: tuple[str, ...]) -> None:
    found = ask(*lines)
    assert (found.state, found.quoted) == (State.UNKNOWN, None)


def test_a_line_of_a_broker_counts_more_than_a_report() -> None:
    line = "2026-11-25 10:00:01.123 [warning] <0.190.0> disk resource limit alarm set on node rabbit@mq1."
    found = ask("Our till hangs because RabbitMQ has a memory alarm", line)
    assert found.held is not None
    assert (found.held.setting, found.quoted) == (DISK, None)


def test_a_long_text_is_a_log_and_no_report() -> None:
    found = ask(*(["a line"] * 200), "Our till hangs because RabbitMQ has a memory alarm")
    assert found.quoted is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("On qpid our tills were blocked because the queue was overfull", "queue"),
        ("artemis: our tills hang, max-size-bytes is reached", "address"),
        ("artemis: our tills hang, the address is full", "address"),
    ],
)
def test_a_limit_of_one_place_holds_up_only_its_senders(line: str, kind: str) -> None:
    found = ask(line)
    assert found.quoted is not None
    article = "an" if kind == "address" else "a"
    assert f"every producer that sends to {article} {kind} that these lines do not name" in shown(found)


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("CRITICAL - RabbitMQ memory alarm triggered on rabbit@till", "vm_memory_high_watermark"),
        ("[FIRING:1] RabbitMQ free disk space alarm (till)", "disk_free_limit"),
    ],
)
def test_a_check_that_fails_reports_its_limit(text: str, setting: str) -> None:
    found = ask(text)
    assert found.quoted is not None
    assert found.quoted.setting == setting
    assert ask(text.replace("alarm", "alarm cleared")).quoted is None
    assert ask(text.replace("CRITICAL", "OK").replace("FIRING", "RESOLVED")).quoted is None
