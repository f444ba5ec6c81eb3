"""Lines that brokers wrote, in every deformation of the table: the answer stays that of the line as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.why.asking import ask
from tests.why.deformations import DEFORMATIONS
from tidegate.why.answer import Answer

WIDTHS = range(40, 121)
"""How many characters terminals and pages have in a line."""
REPORTS = Path(__file__).parents[2] / "reports"
LINES = (
    "2026-11-26 17:27:53,915 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on "
    "address 'orders'; size is currently: 600,000 bytes; max-size-bytes on address: 500,000, global-max-size is "
    "500,000",
    "2026-11-27 07:17:28,456 INFO  [org.apache.activemq.artemis.core.server] AMQ222038: Starting paging on address "
    "'orders'; size=200000 bytes (4 messages); maxSize=200000 bytes (-1 messages); globalSize=200000 bytes (4 "
    "messages); globalMaxSize=104857600 bytes (-1 messages);",
    "2026-11-27 07:20:41,905 INFO  [org.apache.activemq.artemis.core.server] AMQ224114: Address control block, "
    "blocking message production on address 'orders'. Clients will not get further credit.",
    "2026-11-26 15:54:00,818 INFO  [IoReceiver - /127.0.0.1:53178] (queue.overfull) - [vh(/test)/qu(orders)] "
    "[vh(/test)/qu(orders)] QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000",
    "2026-11-27T02:22:46,755Z INFO  [IO-/127.0.0.1:42548] (q.m.c.flow_enforced) - "
    "[con:8(guest@/127.0.0.1:42548/test)/ch:1] [con:8(guest@/127.0.0.1:42548/test)/ch:1] CHN-1005 : Flow Control "
    "Enforced (Queue orders)",
    "2026-11-27 13:56:21,462 INFO    [org.apache.activemq.broker.region.Queue] Usage Manager Memory Limit (1200000) "
    "reached on queue://orders, size 3. Producers will be throttled to the rate at which messages are removed from "
    "this destination to prevent flooding it. See http://activemq.apache.org/producer-flow-control.html for more info",
    "2026-11-26 10:00:01,345 | INFO  | Usage(default:memory:queue://orders:memory) percentUsage=69%, usage=467812303, "
    "limit=668309914, percentUsageMinDelta=1%;Parent:Usage(default:memory) percentUsage=100%, usage=668329690, "
    "limit=668309914, percentUsageMinDelta=1%: Usage Manager Memory Limit reached. Producer (ID:till-1:49:3:1) stopped "
    "to prevent flooding queue://orders. See http://activemq.apache.org/producer-flow-control.html for more info "
    "(blocking for: 964s) | org.apache.activemq.broker.region.Queue | ActiveMQ Transport: tcp:///10.0.0.9:4000@61616",
    "2026-11-26 10:00:01.345 [warning] <0.298.0> memory resource limit alarm set on node 'rabbit@node1'.",
    "2026-11-26 10:00:01.345000+00:00 [info] <0.231.0> vm_memory_high_watermark set. Memory used:1024000000 "
    "allowed:858993459",
)


def told(found: Answer) -> tuple[object, ...]:
    """Who is held up by what, or that nobody is."""
    held = found.held
    return (found.state, *((held.setting, held.place, held.limit, held.level) if held is not None else ()))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[24:110])
def test_no_deformation_changes_the_answer(line: str) -> None:
    due = told(ask(line))
    assert len(due) > 1
    assert [name for name, deform in DEFORMATIONS.items() if told(ask(deform(line))) != due] == []


def _broken_at(line: str, width: int, mark: str = "") -> str:
    return "\n".join(mark + line[at : at + width] for at in range(0, len(line), width))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[24:110])
def test_no_width_at_which_a_terminal_breaks_a_line_changes_the_answer(line: str) -> None:
    due = told(ask(line))
    widths = [width for width in WIDTHS if width < len(line)]
    assert len(widths) > 50
    assert [width for width in widths if told(ask(_broken_at(line, width))) != due] == []
    assert [width for width in widths[::7] if told(ask(_broken_at(line, width, "> "))) != due] == []
    stripped = {width: _broken_at(line, width).replace(" \n", "\n") for width in widths[::7]}
    assert [width for width, text in stripped.items() if told(ask(text)) != due] == []


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[24:110])
def test_no_place_at_which_a_line_is_broken_in_two_changes_the_answer(line: str) -> None:
    due = told(ask(line))
    assert [at for at in range(1, len(line)) if told(ask(f"{line[:at]}\n{line[at:]}")) != due] == []


def test_a_whole_excerpt_that_a_terminal_broke_is_answered_as_it_was() -> None:
    lines = (REPORTS / "artemis-2.20.0" / "broker-artemis-2.20.0.log").read_text(encoding="utf-8").splitlines()[17:57]
    due = ask(*lines)
    assert due.over > 1
    for width in (66, 80, 100, 132):
        found = ask(*(_broken_at(line, width) for line in lines))
        assert (told(found), found.others, found.over) == (told(due), due.others, due.over), width


def _of_reports() -> Iterator[str]:
    """One line of each length of record that tells something, of each report's log."""
    for log in sorted(REPORTS.glob("*/broker-*.log")):
        seen: set[tuple[str, int]] = set()
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            kind = (log.name, len(line) // 10)
            if kind not in seen and len(told(ask(line))) > 1:
                seen.add(kind)
                yield line


@pytest.mark.nightly
def test_no_deformation_changes_the_answer_of_lines_in_reports() -> None:
    """A line without a time, as of a stack, may be told with an *if so* in a record of an unknown tool."""
    differs = []
    for line in _of_reports():
        due = told(ask(line))
        for name, deform in DEFORMATIONS.items():
            found = told(ask(deform(line)))
            is_due = line[:4].isdigit() and not name.startswith("wrapped")
            if found != due and (is_due or len(found) > 1):
                differs.append((name, line[:120]))
    assert differs == []
