"""A requested client: only the stops that its own lines tell of, from its first line to its last."""

import pytest

from tests.why.asking import ask
from tidegate.why.answer import Asked, State

QUEUE = (
    "[con:{0}(guest@/127.0.0.1:4/shop)/ch:0] [vh(/shop)/qu({1})] QUE-1003 : Overfull : Size : 900 bytes, Capacity : 800"
)
ORDER = "[con:{0}(guest@/127.0.0.1:4/shop)/ch:0] " * 2 + "CHN-1005 : Flow Control Enforced (Queue {1})"
FREED = "[IO Pool] [con:{0}(guest@/127.0.0.1:4/shop)/ch:0] CHN-1006 : Flow Control Removed"
GONE = "[con:{0}(guest@/127.0.0.1:4/shop)] CON-1002 : Close"
TWO_QUEUES = (
    f"10:00:01 {QUEUE.format(0, 'a')}",
    f"10:00:01 {ORDER.format(0, 'a')}",
    f"10:00:05 {QUEUE.format(1, 'b')}",
    f"10:00:05 {ORDER.format(1, 'b')}",
    f"10:00:07 {ORDER.format(2, 'a')}",
)


def test_a_stop_began_for_a_client_with_its_own_line() -> None:
    found = ask(*TWO_QUEUES, asked=Asked(client="con:2("))
    assert found.held is not None
    assert (found.held.place, found.held.since, len(found.held.clients)) == ("queue shop/a", "10:00:07", 1)
    both = ask(*TWO_QUEUES, f"10:00:08 {FREED.format(0)}", asked=Asked(client="con:"))
    assert both.held is not None and both.state is State.BLOCKED


def test_a_client_of_which_no_line_tells_is_not_held_by_a_queue_that_names_its_clients() -> None:
    found = ask(*TWO_QUEUES, asked=Asked(client="con:9("))
    assert (found.state, found.held, found.let_go) == (State.UNKNOWN, None, "")
    assert ask(TWO_QUEUES[0], asked=Asked(client="con:9(")).state is State.BLOCKED


@pytest.mark.parametrize("end", [FREED, GONE])
def test_a_stop_ended_for_a_client_though_the_queue_is_still_full(end: str) -> None:
    lines = (*TWO_QUEUES, f"10:00:09 {end.format(1)}")
    found = ask(*lines, asked=Asked(client="con:1("))
    assert found.held is not None
    assert (found.state, found.held.until) == (State.NOT_BLOCKED, "10:00:09")
    assert ask(*lines, asked=Asked(client="con:2(")).state is State.BLOCKED


def test_a_release_of_a_channel_tells_nothing_of_a_queue_that_did_not_stop_it() -> None:
    lines = (*TWO_QUEUES, f"10:00:09 {FREED.format(1)}")
    found = ask(*lines, asked=Asked(queue="c"))
    assert (found.state, found.held, found.let_go) == (State.UNKNOWN, None, "")
    assert ask(lines[-1], asked=Asked(queue="c")).let_go != ""
