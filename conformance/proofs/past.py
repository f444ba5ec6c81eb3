"""The past-time operators: each fold says what its sentence says, for a history of any length, by induction.

A history is a set of moments in some order; the state before a moment says what the operator says up to it.

The parts of stretches form a monoid that acts on the states: events may be cut into stretches anywhere, the parts
combined in any grouping, and a state carried past each stretch, and the operator says what it says step by step.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.language.past import (
    OPERATORS,
    LatestPart,
    latest,
    latest_carried,
    latest_combined,
    latest_part,
    latest_step,
    total,
    total_carried,
    total_combined,
    total_part,
    total_step,
)

Moment = NewType("Moment", str)

BEFORE_ANY_LATEST = OPERATORS[latest].initial
BEFORE_ANY_TOTAL = OPERATORS[total].initial
LATEST_OF_NOTHING = OPERATORS[latest].unit
TOTAL_OF_NOTHING = OPERATORS[total].unit


@dataclass(frozen=True)
class History:
    """For each moment its place in the order, the value there, and whether the condition holds there."""

    place: Mapping[Moment, int]
    value: Mapping[Moment, int]
    when: Mapping[Moment, bool]


@notion
def is_latest_up_to(history: History, last: int, state: int) -> bool:
    """PAST-LATEST: the state is the value at the latest moment up to `last` at which the condition held."""
    return all(
        state == history.value[moment]
        or not (history.when[moment] and history.place[moment] <= last)
        or any(history.when[later] and history.place[moment] < history.place[later] <= last for later in history.place)
        for moment in history.place
    )


@notion
def never_held_up_to(history: History, last: int) -> bool:
    """PAST-NEVER: the condition held at no moment up to the place `last`."""
    return all(not (history.when[moment] and history.place[moment] <= last) for moment in history.place)


@notion
def says_nothing_unseen(part: LatestPart) -> bool:
    """PAST-PART: a part in which the condition never held has the value 0."""
    return part.seen or part.value == 0


@theorem("PAST-T1")
def latest_begins_with_0(history: History, last: int) -> None:
    """PAST-T1: initial state; before the first moment there is no latest one, and the operator says 0."""
    assume(all(history.place[moment] > last for moment in history.place))
    possible(last == 0)
    prove(is_latest_up_to(history, last, BEFORE_ANY_LATEST) and never_held_up_to(history, last))
    prove(BEFORE_ANY_LATEST == 0)


@theorem("PAST-T2")
def latest_gives_the_value_at_the_latest_moment_that_counts(history: History, now: Moment, state: int) -> None:
    """PAST-T2: step; what holds up to the moment before holds up to now."""
    assume(all(history.place[moment] != history.place[now] or moment == now for moment in history.place))
    assume(is_latest_up_to(history, history.place[now] - 1, state))
    possible(history.when[now] and history.value[now] != state)
    possible(not history.when[now] and not never_held_up_to(history, history.place[now]))
    prove(is_latest_up_to(history, history.place[now], latest_step(state, history.value[now], history.when[now])))


@theorem("PAST-T3")
def latest_says_0_until_the_condition_held(history: History, now: Moment, state: int) -> None:
    """PAST-T3: step; as long as the condition never held the operator says 0."""
    assume(state == 0 and never_held_up_to(history, history.place[now]))
    possible(history.value[now] != 0)
    prove(latest_step(state, history.value[now], history.when[now]) == 0)


@theorem("PAST-T4")
def total_begins_with_0_and_grows_by_each_value(before: int, value: int) -> None:
    """PAST-T4: initial state and step of a sum."""
    possible(value < 0)
    prove(BEFORE_ANY_TOTAL == 0)
    prove(total_step(before, value) - before == value)


@refuted("PAST-R1", because="the moment itself counts")
def latest_looks_only_at_earlier_moments(history: History, now: Moment, state: int) -> None:
    """PAST-R1: the operator would say now what it said before now."""
    assume(is_latest_up_to(history, history.place[now] - 1, state))
    prove(latest_step(state, history.value[now], history.when[now]) == state)


@theorem("PAST-T5")
def the_part_of_one_event_carries_a_state_as_its_step_does(state: int, value: int, when: bool) -> None:
    """PAST-T5: one event is a stretch of its own."""
    possible(when and value != state)
    possible(not when and value != state)
    prove(latest_carried(state, latest_part(value, when)) == latest_step(state, value, when))
    prove(total_carried(state, total_part(value)) == total_step(state, value))


@theorem("PAST-T6")
def a_state_is_carried_past_two_stretches_by_their_combined_part(
    state: int, first: LatestPart, then: LatestPart, sum_before: int, sum_then: int
) -> None:
    """PAST-T6: carrying stretch by stretch says what carrying past both at once says."""
    possible(first.seen and not then.seen and first.value != state)
    possible(first.seen and then.seen and first.value != then.value)
    prove(latest_carried(latest_carried(state, first), then) == latest_carried(state, latest_combined(first, then)))
    prove(
        total_carried(total_carried(state, sum_before), sum_then)
        == total_carried(state, total_combined(sum_before, sum_then))
    )


@theorem("PAST-T7")
def parts_may_be_combined_in_any_grouping(
    first: LatestPart, second: LatestPart, third: LatestPart, one: int, two: int, three: int
) -> None:
    """PAST-T7: combining is associative."""
    possible(first.seen and second.seen and not third.seen and first.value != second.value)
    prove(
        latest_combined(latest_combined(first, second), third) == latest_combined(first, latest_combined(second, third))
    )
    prove(total_combined(total_combined(one, two), three) == total_combined(one, total_combined(two, three)))


@theorem("PAST-T8")
def a_stretch_without_events_changes_nothing(state: int, part: LatestPart, some: int) -> None:
    """PAST-T8: the unit of combining, on both sides, and of carrying."""
    assume(says_nothing_unseen(part))
    possible(part.seen and part.value != 0)
    possible(not part.seen)
    prove(latest_combined(LATEST_OF_NOTHING, part) == part and latest_combined(part, LATEST_OF_NOTHING) == part)
    prove(latest_carried(state, LATEST_OF_NOTHING) == state)
    prove(total_combined(TOTAL_OF_NOTHING, some) == some and total_combined(some, TOTAL_OF_NOTHING) == some)
    prove(total_carried(state, TOTAL_OF_NOTHING) == state)


@theorem("PAST-T9")
def every_part_says_nothing_unseen(value: int, when: bool, first: LatestPart, then: LatestPart) -> None:
    """PAST-T9: initial states and step of what PAST-T8 assumes."""
    assume(says_nothing_unseen(first))
    possible(not when and value != 0)
    possible(first.seen and not then.seen and first.value != 0)
    prove(says_nothing_unseen(LATEST_OF_NOTHING))
    prove(says_nothing_unseen(latest_part(value, when)))
    prove(says_nothing_unseen(latest_combined(first, then)))


@theorem("PAST-T10")
def one_more_event_makes_the_part_of_the_longer_stretch(
    state: int, so_far: LatestPart, value: int, when: bool, sum_so_far: int
) -> None:
    """PAST-T10: step; the part of a stretch carries a state as far as the steps of its events, one by one."""
    possible(so_far.seen and when and so_far.value != value)
    possible(so_far.seen and not when and so_far.value != state)
    longer = latest_combined(so_far, latest_part(value, when))
    prove(latest_carried(state, longer) == latest_step(latest_carried(state, so_far), value, when))
    longer_sum = total_combined(sum_so_far, total_part(value))
    prove(total_carried(state, longer_sum) == total_step(total_carried(state, sum_so_far), value))


@refuted("PAST-R2", because="the later of two values counts")
def stretches_may_be_combined_the_other_way_round(state: int, first: LatestPart, then: LatestPart) -> None:
    """PAST-R2: the order of stretches would not matter."""
    prove(latest_carried(latest_carried(state, first), then) == latest_carried(state, latest_combined(then, first)))


@refuted("PAST-R3", because="a part whose condition never held does not say so by its value")
def a_latest_value_alone_is_its_part(state: int, part: LatestPart) -> None:
    """PAST-R3: whether the condition held could be left out of a part."""
    prove(latest_carried(state, part) == part.value)
