"""Lines as real tools wrote them: log4j 2's layouts, java.util.logging, journald and grep. See the folder `tools`."""

import io
from pathlib import Path

import pytest

from tests.why.asking import ask
from tidegate.why.answer import Answer, Asked, State, answer
from tidegate.why.reading import read
from tidegate.why.times import stamp

TOOLS = Path(__file__).parent / "tools"
SINCE = {
    "cat-n": "25.11.2026 22:36:22",
    "grep-H-C": "25.11.2026 22:36:22",
    "grep-Hn": "25.11.2026 22:36:22",
    "grep-n-C": "25.11.2026 22:36:22",
    "grep-two-files": "25.11.2026 22:36:22",
    "journald-export": "1795646153769192",
    "journald-json": "2026-11-25T22:35:53.769+00:00",
    "journald-json-pretty": "2026-11-25T22:35:53.769+00:00",
    "journald-short": "Nov 25 22:35:53",
    "journald-short-full": "Wed 2026-11-25 22:35:53 UTC",
    "journald-short-iso": "2026-11-25T22:35:53+0000",
    "journald-short-monotonic": "10:00:01,123",
    "journald-short-precise": "Nov 25 22:35:53.761719",
    "journald-short-unix": "1795646153.761719",
    "jul-de": "Nov. 25, 2026 10:35:17 PM",
    "jul-en": "Nov 25, 2026 10:35:15 PM",
    "jul-fr": "nov. 25, 2026 10:35:19 PM",
    "jul-xml": "2026-11-25T22:35:15.765613891Z",
    "log4j2-EcsLayout": "2026-11-25T22:35:59.718Z",
    "log4j2-GcpLayout": "2026-11-25T22:36:10.243+00:00",
    "log4j2-GelfLayout": "2026-11-25T22:36:07.097+00:00",
    "log4j2-JsonLayout": "2026-11-25T22:36:12.725+00:00",
    "log4j2-LogstashJsonEventLayoutV1": "2026-11-25T22:36:03.113+0000",
    "log4j2-american": "11/25/2026 10:36:27 PM",
    "log4j2-ansi": "22:36:15,817",
    "log4j2-date": "25 Nov 2026 22:36:34,707",
    "log4j2-german": "25.11.2026 22:36:22",
    "log4j2-millis": "1795646179502",
    "log4j2-offset": "2026-11-26T00:36:30,629+02:00",
}
THROWN = [name for name in SINCE if name.endswith(("Layout", "V1"))]


def of(data: bytes, queue: str = "orders") -> Answer:
    return answer(read([("a.log", io.BytesIO(data))]), Asked(queue=queue))


def test_every_sample_is_asked_for() -> None:
    assert {path.stem for path in TOOLS.iterdir()} == set(SINCE)


@pytest.mark.parametrize("name", SINCE)
def test_a_line_is_read_as_the_real_tool_wrote_it(name: str) -> None:
    data = (TOOLS / f"{name}.txt").read_bytes()
    found = of(data.splitlines()[0] if name in THROWN else data, queue="")
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert found.held.since == SINCE[name]
    assert found.held.setting in ("max-size-bytes", "max-disk-usage")
    assert not found.aside


@pytest.mark.parametrize("name", THROWN)
def test_an_exception_in_a_record_is_read_like_one_in_lines(name: str) -> None:
    found = ask((TOOLS / f"{name}.txt").read_text().splitlines()[1])
    assert found.held is not None
    assert (found.held.setting, found.held.clients) == ("storeUsage", ("ID:a-1:1:2:1",))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_ends_of_lines_change_nothing(encoding: str, end: str) -> None:
    line = (TOOLS / "log4j2-german.txt").read_text().strip()
    found = of(end.join(["Größe: 12\u00a0400", line, ""]).encode(encoding))
    assert found.held is not None
    assert (found.state, found.held.since, found.held.missing) == (State.BLOCKED, "25.11.2026 22:36:22", 201)


@pytest.mark.parametrize("packing", ["gzip", "bz2", "lzma"])
def test_a_packed_log_is_unpacked_whatever_its_name(packing: str) -> None:
    from importlib import import_module

    line = (TOOLS / "log4j2-german.txt").read_bytes()
    assert of(import_module(packing).compress(line)).state is State.BLOCKED


@pytest.mark.parametrize(
    ("text", "moment", "offset"),
    [
        ("2026-11-25T10:00:01.123Z", "2026-11-25 10:00:01.123000", 0),
        ("2026-11-25 10:00:01,123+01:00", "2026-11-25 10:00:01.123000", 3600),
        ("2026-11-25 10:00:01.123 +0530", "2026-11-25 10:00:01.123000", 19800),
        ("2026-11-25 10:00:01,123 CET", "2026-11-25 10:00:01.123000", 3600),
        ("2026/11/25 10:00:01", "2026-11-25 10:00:01", None),
        ("20261125 10:00:01", "2026-11-25 10:00:01", None),
        ("25.11.26 10:00:01,123", "2026-11-25 10:00:01.123000", None),
        ("25/Nov/2026:10:00:01 -0800", "2026-11-25 10:00:01", -28800),
        ("25. November 2026 10:00:01", "2026-11-25 10:00:01", None),
        ("3. März 2026, 10:00:01", "2026-03-03 10:00:01", None),
        ("3 févr. 2026 10:00:01", "2026-02-03 10:00:01", None),
        ("Wed Nov 25 10:00:01 UTC 2026", "2026-11-25 10:00:01", 0),
        ("Wed, 25 Nov 2026 10:00:01 +0000", "2026-11-25 10:00:01", 0),
        ("Nov 25 22:01:03", "0004-11-25 22:01:03", None),
        ("Feb 29 22:01:03", "0004-02-29 22:01:03", None),
        ("25/11/2026 10:00:01", "2026-11-25 10:00:01", None),
        ("11/25/26, 10:00:01\u202fPM", "2026-11-25 22:00:01", None),
        ("05/06/2026 10:00:01", "0001-01-01 10:00:01", None),
        ("05/06/2026 10:00:01 AM", "2026-05-06 10:00:01", None),
        ("2026-11-25 10:00:01 IST", "2026-11-25 10:00:01", None),
    ],
)
def test_each_common_style_of_a_time_is_read(text: str, moment: str, offset: int | None) -> None:
    found = stamp(text)
    assert found is not None
    assert found[1] == len(text)
    assert str(found[0].moment) == moment
    assert (None if found[0].offset is None else found[0].offset.total_seconds()) == offset


@pytest.mark.parametrize("text", ["2026-13-25 10:00:01", "Foo 25 10:00:01", "25.13.2026 10:00:01", "99:00:01", "7"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert stamp(text) is None
