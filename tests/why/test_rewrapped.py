"""Lines that something broke are put together, and lines that follow each other are not."""

import textwrap
from itertools import pairwise
from pathlib import Path

import pytest

from tests.why.asking import ask, held
from tidegate.why.decoding import lines_of
from tidegate.why.rewrapped import rewrapped

ROOT = Path(__file__).parents[2]
LOGS = (*ROOT.glob("reports/*/broker-*.log"), *ROOT.glob("tests/runs/*.log"), *ROOT.glob("tests/why/tools/*.txt"))
FULL = "2026-11-26 10:00:01,345 WARN  [org.apache.activemq.artemis.protocol.amqp.proton] Address is full: orders"
USED = "vm_memory_high_watermark set. Memory used:3 allowed:2"
ALARM = "{} resource limit alarm set on node rabbit@{}."
OVERFULL = "[vh(/test)/qu(orders)] QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"


def _together(*lines: str) -> list[tuple[int, str]]:
    return list(rewrapped(enumerate(lines, 1)))


def test_no_lines_of_whole_logs_are_put_together() -> None:
    count, put = 0, []
    for log in LOGS:
        with log.open("rb") as file:
            lines = list(enumerate(lines_of(file, log.name), 1))
        found = list(rewrapped(lines))
        count += len(lines)
        put += [(log.name, one) for (one, _), (other, _) in pairwise([*found, (len(lines) + 1, "")]) if other > one + 1]
    assert count > 25_000
    assert put == []


@pytest.mark.parametrize(
    "lines",
    [
        (FULL, "org.apache.activemq.artemis.api.core.ActiveMQAddressFullException: Address is full: orders [x=y]"),
        (FULL, "Thanks for any help with this."),
        (USED + "1", "{noformat}"),
        (USED, ALARM.format("memory", "a")),
        (ALARM.format("memory", "a"), ALARM.format("disk", "b")),
        ("Listing connections ...", "till\t10.0.0.9\t40000\tblocking"),
        (OVERFULL, "5 consumers are there, and none takes a message."),
        (OVERFULL, "2026-11-26 10:00:02,345 INFO  something else"),
    ],
    ids=lambda lines: lines[1][:40],
)
def test_lines_that_follow_each_other_stay_apart(lines: tuple[str, str]) -> None:
    assert _together(*lines) == list(enumerate(lines, 1))


def test_a_line_that_was_broken_has_the_number_of_its_first_piece() -> None:
    pieces = [FULL[at : at + 45] for at in range(0, len(FULL), 45)]
    assert _together("before", *pieces, "after") == [(1, "before"), (2, FULL), (len(pieces) + 2, "after")]


def test_figures_and_codes_that_were_broken_are_whole_again() -> None:
    front, behind = OVERFULL.split(",000")
    assert held(front, f",000{behind}").limit == 1000
    assert held(OVERFULL.replace("1003", "10\n03")).limit == 1000
    assert ask("AMQ22", '9102: Address "orders" is full.').held == ask('AMQ229102: Address "orders" is full.').held


def test_a_line_that_was_cut_into_three_pieces_anywhere_is_joined() -> None:
    line = "2026-11-20 09:12:01,114 WARN  [s] AMQ222183: Blocking message production on address 'sales'; size is "
    line += "currently: 10,486,912 bytes; max-size-bytes on address: 10,485,760, global-max-size is 536,870,912"
    told = held(line[:43], line[43:128], line[128:])
    assert (told.place, told.level, told.limit) == ("address sales", 10486912, 10485760)


def test_a_line_that_a_mail_quotes_with_bars_is_joined() -> None:
    line = (
        "2026-11-20 10:15:30,001 | INFO  | Usage Manager Memory Limit reached. Producer (ID:web-1:1:1) stopped to "
        "prevent flooding queue://sales. See http://activemq.apache.org/producer-flow-control.html for more info "
        "(blocking for: 30s) | org.apache.activemq.broker.region.Queue"
    )
    told = held(*(f"| {piece}" for piece in textwrap.wrap(line, 78)))
    assert (told.clients, told.since) == (("ID:web-1:1:1",), "2026-11-20 10:15:00")
