"""Trace rules as they run: what each operator is told, and how often."""

import pytest

from tidegate.model.language.judge import Judge
from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import define, rule
from tidegate.record.events import Event, Kind, Moment


@rule
def sent_so_far(e: Moment) -> int:
    """T-1: how many messages were sent to the event's destination."""
    return total(1 if e.kind == Kind.SEND else 0, per=(e.destination,))


def the_second_is_a_send(e: Moment) -> bool:
    """T-1: a level comes after two messages at least."""
    return e.kind != Kind.LEVEL or sent_so_far(e) >= 2


def none_is_larger_than_the_first(e: Moment) -> bool:
    """T-1: a level is the latest size, whichever branch asks for it."""
    return latest(e.bytes, when=e.kind == Kind.SEND, per=()) == e.limit if e.kind == Kind.LEVEL else True


def every_key_is_asked(e: Moment) -> bool:
    """T-1: an operator under a quantifier."""
    return all(sent_so_far(e) > key for key in (0, 1))


def events(*kinds: Kind, size_bytes: int = 10) -> list[Event]:
    return [
        Event(source="s", seq=seq, time=0, kind=kind, destination="q", bytes=size_bytes, limit=size_bytes)
        for seq, kind in enumerate(kinds, start=1)
    ]


@pytest.mark.parametrize(
    ("kinds", "holds"),
    [
        pytest.param((Kind.SEND, Kind.LEVEL), False, id="one message"),
        pytest.param((Kind.SEND, Kind.SEND, Kind.LEVEL), True, id="two messages"),
    ],
)
def test_an_operator_behind_an_or_is_told_of_every_event(kinds: tuple[Kind, ...], holds: bool) -> None:
    judge = Judge([define(the_second_is_a_send)])
    assert [judgement.holds for event in events(*kinds) for judgement in judge.judge(event)][-1] is holds


def test_an_operator_in_a_branch_that_is_not_taken_is_told_too() -> None:
    judge = Judge([define(none_is_larger_than_the_first)])
    sent, other, level = events(Kind.SEND, Kind.TAKE, Kind.LEVEL)
    assert [judgement.holds for event in (sent, other, level) for judgement in judge.judge(event)] == [True] * 3


def test_rules_that_ask_the_same_of_an_event_share_what_is_remembered() -> None:
    judge = Judge([define(the_second_is_a_send)] * 3)
    told = [[judgement.holds for judgement in judge.judge(event)] for event in events(Kind.SEND, Kind.LEVEL)]
    assert told == [[True] * 3, [False] * 3]


def test_each_source_is_remembered_apart() -> None:
    judge = Judge([define(the_second_is_a_send)])
    here = events(Kind.SEND, Kind.SEND)
    there = Event(source="other", seq=1, time=0, kind=Kind.LEVEL, destination="q")
    assert [judgement.holds for event in (*here, there) for judgement in judge.judge(event)] == [True, True, False]


def test_an_operator_under_a_quantifier_is_refused() -> None:
    with pytest.raises(SyntaxError, match="no past-time operator under a quantifier: every_key_is_asked"):
        Judge([define(every_key_is_asked)])
