"""A configuration beside the logs: the line that sets the limit, in each broker's file. And a time asked for."""

from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.why.test_lines import MEMORY, OWN, QUEUE
from tidegate.record.errors import BadInput
from tidegate.why.ends import end, until
from tidegate.why.times import Stamp, stamp

ARTEMIS = """<configuration xmlns="urn:activemq">
<core xmlns="urn:activemq:core"><max-disk-usage>80</max-disk-usage>
<address-settings><address-setting match="orders">
<max-size-bytes>1000</max-size-bytes>
<address-full-policy>BLOCK</address-full-policy></address-setting></address-settings></core></configuration>
"""
CLASSIC = """<beans><broker xmlns="http://activemq.apache.org/schema/core"><destinationPolicy><policyMap><policyEntries>
<policyEntry queue=">" memoryLimit="1mb"/>
</policyEntries></policyMap></destinationPolicy><systemUsage><systemUsage>
<memoryUsage><memoryUsage limit="64 mb"/></memoryUsage>
<storeUsage><storeUsage limit="1 gb"/></storeUsage></systemUsage></systemUsage></broker></beans>
"""
BROKER_J = """{"name": "test", "type": "Memory", "queues": [
{"name": "orders", "maximumQueueDepthBytes": 1000, "overflowPolicy": "PRODUCER_FLOW_CONTROL",
 "context": {"queue.queueFlowResumeLimit": "60"}}]}
"""
OLD_QPID = """<virtualhosts><virtualhost><name>test</name><test><queues>
<capacity>1000</capacity>
<flowResumeCapacity>700</flowResumeCapacity>
<queue><name>orders</name></queue></queues></test></virtualhost></virtualhosts>
"""
DISK = "AMQ222212: Disk Full! Blocking message production on address 'o'. Clients will report blocked."
CLIENT = "AMQ212054: Destination address=orders is blocked. If the system is configured to block make sure you consume"
FULL = MEMORY.format(100, 1048828, 1048576, 0, 1, 67108864)
STORE = "Usage Manager Store is Full. Stopping producer (ID:a-1:1:2:1) to prevent flooding queue://A. See http://x"
EITHER = "Usage Manager Memory Limit reached on queue://FOO. Producers will be throttled to the rate"
OVERFULL = QUEUE + "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("broker.xml", ARTEMIS, OWN, "max-size-bytes = 1,000 bytes (broker.xml:4, match orders), level then 1,200"),
        ("broker.xml", ARTEMIS, DISK, "max-disk-usage = 80 % of the disk (broker.xml:2, the whole broker)"),
        (
            "broker.xml",
            ARTEMIS,
            CLIENT,
            "file     max-size-bytes = 1,000 bytes (broker.xml:4, match orders); glob",
        ),
        (
            "broker.xml",
            ARTEMIS,
            OWN.replace("maxSize=1000", "maxSize=900"),
            "gives 1,000 bytes (broker.xml:4, match orders): the broker of this log",
        ),
        (
            "activemq.xml",
            CLASSIC,
            FULL,
            "= 1,048,576 bytes (activemq.xml:2",
        ),
        ("activemq.xml", CLASSIC, STORE, "storeUsage = 1,073,741,824 bytes (1 GiB) (activemq.xml:5"),
        ("activemq.xml", CLASSIC, EITHER, "file     memoryLimit = 1,048,576 bytes (1 MiB) (activemq.xml:2"),
        ("host.json", BROKER_J, OVERFULL + ", Messages : 3, Message Capacity : -1", "at least 600 bytes must go"),
        ("host.json", BROKER_J, OVERFULL + ", Messages : 3, Message Capacity : -1", "= 1,000 bytes (host.json:2"),
        ("virtualhosts.xml", OLD_QPID, OVERFULL, "at least 500 bytes must go"),
        ("virtualhosts.xml", OLD_QPID, OVERFULL, "capacity = 1,000 bytes (virtualhosts.xml:2"),
    ],
)
def test_the_line_of_the_file_that_sets_the_limit_is_named(
    name: str, text: str, line: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "a.log").write_text(line)
    told = tidegate("why", "a.log", name, folder=tmp_path)
    assert said in told.stdout
    assert told.stderr == ""


def test_a_file_with_another_figure_is_not_said_to_set_the_one_of_the_log(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text(ARTEMIS)
    (tmp_path / "a.log").write_text(OWN.replace("maxSize=1000", "maxSize=900"))
    told = tidegate("why", "a.log", "broker.xml", folder=tmp_path).stdout
    assert "by       max-size-bytes = 900 bytes (broker.xml, in an address-setting)" in told
    assert "but      the configuration gives 1,000 bytes (broker.xml:4, match orders)" in told


OVER = "addressSettings.orders.maxSizeBytes=2000\n"


def _answer(folder: Path, *names: str) -> str:
    (folder / "broker.log").write_text(OWN.replace("maxSize=1000", "maxSize=2000").replace("1200", "2200") + "\n")
    (folder / "log4j2.properties").write_text("appenders=file\n")
    return tidegate("why", *names, folder=folder).stdout


@pytest.mark.parametrize("names", [["broker.log", "broker.xml"], ["broker.log", "broker.properties"], ["."]])
def test_broker_properties_say_what_they_set_over_a_broker_xml(names: list[str], tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text(ARTEMIS)
    (tmp_path / "broker.properties").write_text(OVER)
    assert "broker.properties:1, match orders)" in _answer(tmp_path, *names)


def test_properties_that_are_named_say_what_they_set_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "over.properties").write_text(OVER)
    (tmp_path / "broker.xml").write_text(ARTEMIS)
    assert "over.properties:1, match orders)" in _answer(tmp_path, "broker.log", "broker.xml", "over.properties")
    assert "the configuration gives 1,000 bytes (broker.xml:4, match orders)" in _answer(tmp_path, ".")
    (tmp_path / "over.properties").write_text("maxDiskUsage=70\n")
    assert "default of" not in _answer(tmp_path, "broker.log", "over.properties")


def test_a_configuration_of_another_broker_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "activemq.xml").write_text(CLASSIC)
    (tmp_path / "a.log").write_text(OWN)
    assert "activemq.xml:" not in tidegate("why", "a.log", "activemq.xml", folder=tmp_path).stdout


def test_a_log_in_xml_or_json_is_no_configuration_and_a_broken_one_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(
        '{"message": "AMQ222212: Disk Full! Blocking message production on address \'o\'. C"}\n'
    )
    (tmp_path / "log.xml").write_text(f"<record>\n<message>{DISK}</message>\n</record>\n")
    (tmp_path / "b.xml").write_text("<core><address-settings>")
    for log in ("log.json", "log.xml"):
        assert "max-disk-usage" in tidegate("why", log, folder=tmp_path).stdout
    told = tidegate("why", "log.json", "b.xml", folder=tmp_path)
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert told.stdout.startswith("Blocked")
    (tmp_path / "b.xml").write_text(ARTEMIS)
    told = tidegate("why", "b.xml", folder=tmp_path)
    assert (told.returncode, "expected logs" in told.stderr) == (2, True)


def at(text: str) -> Stamp:
    found = stamp(text)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("asked", "lines", "moment"),
    [
        ("10:00:00", ["2026-11-25 09:00:00", "2026-11-25 11:00:00"], "2026-11-25 10:00:00"),
        ("10:00:00", ["Nov 25 09:00:00"], "0004-11-25 10:00:00"),
        ("Nov 25 10:00:00", ["Nov 24 09:00:00", "Nov 25 09:00:00"], "0004-11-25 10:00:00"),
        ("2026-11-25 10:00:00", ["Nov 24 09:00:00", "Nov 25 09:00:00"], "0004-11-25 10:00:00"),
        ("Nov 25 10:00:00", ["2026-11-25 09:00:00", "2026-11-26 09:00:00"], "2026-11-25 10:00:00"),
        ("2026-11-27 10:00:00", ["2026-11-25 09:00:00", "2026-11-26 09:00:00"], "2026-11-27 10:00:00"),
    ],
)
def test_a_time_that_is_asked_for_is_of_the_day_of_the_lines(asked: str, lines: list[str], moment: str) -> None:
    assert str(end(at(asked), [at(line) for line in lines]).moment) == moment


@pytest.mark.parametrize(
    ("asked", "lines", "word"),
    [
        ("10:00:00", ["2026-11-25 09:00:00", "2026-11-26 09:00:00"], "2026-11-25 to 2026-11-26"),
        ("10:00:00", ["Nov 25 09:00:00", "Nov 26 09:00:00"], "11-25 to 11-26"),
        ("2026-11-25 10:00:00", ["09:00:00"], "have no date"),
    ],
)
def test_a_time_that_may_be_of_several_days_is_bad_input(asked: str, lines: list[str], word: str) -> None:
    with pytest.raises(BadInput, match=word):
        end(at(asked), [at(line) for line in lines])


def test_an_end_counts_to_its_moment() -> None:
    assert until(at("2026-11-25 10:00:00"), at("2026-11-25 10:00:00"))
    assert not until(at("2026-11-25 10:00:01"), at("2026-11-25 10:00:00"))
    assert until(at("2026-11-25T10:00:01+01:00"), at("2026-11-25T10:00:00Z"))


def test_a_configuration_with_a_wrong_value_is_bad_input_behind_the_answer(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text(ARTEMIS.replace(">BLOCK<", ">block<"))
    (tmp_path / "a.log").write_text(OWN)
    told = tidegate("why", "a.log", "broker.xml", folder=tmp_path)
    assert told.returncode == 2
    assert told.stdout.startswith("Blocked")
    assert "not 'block'" in told.stderr
    assert tidegate("why", "broker.xml", folder=tmp_path).stdout == ""


def test_a_configuration_that_sets_no_such_limit_says_so(tmp_path: Path) -> None:
    (tmp_path / "activemq.xml").write_text(CLASSIC.replace("memoryLimit", "memorylimit"))
    (tmp_path / "a.log").write_text(FULL)
    told = " ".join(tidegate("why", "a.log", "activemq.xml", folder=tmp_path).stdout.split())
    assert "but activemq.xml sets no memoryLimit for destination queue://A, or not in a form that counts" in told
    assert "`tidegate explain activemq.xml`" in told
