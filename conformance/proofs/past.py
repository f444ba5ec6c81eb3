"""The past-time operators: each fold agrees with its sentence, for a history of any length, by induction.

A history is a set of ordered moments; the state before a moment is the operator's value up to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.language.past import OPERATORS, greatest, greatest_step, latest, latest_step, total, total_step

Moment = NewType("Moment", str)

BEFORE_ANY_LATEST = OPERATORS[latest].initial
BEFORE_ANY_TOTAL = OPERATORS[total].initial
BEFORE_ANY_GREATEST = OPERATORS[greatest].initial


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
def is_greatest_up_to(history: History, last: int, state: int) -> bool:
    """PAST-GREATEST: the state is 0 or a counted value up to `last`, and no counted value up to `last` is greater."""
    return all(
        not (history.when[moment] and history.place[moment] <= last) or history.value[moment] <= state
        for moment in history.place
    ) and (
        state == 0
        or any(
            history.when[moment] and history.place[moment] <= last and history.value[moment] == state
            for moment in history.place
        )
    )


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


@theorem("PAST-T5")
def greatest_begins_with_0(history: History, last: int) -> None:
    """PAST-T5: initial state; before the first moment nothing counts, and the operator says 0."""
    assume(all(history.place[moment] > last for moment in history.place))
    possible(last == 0)
    prove(is_greatest_up_to(history, last, BEFORE_ANY_GREATEST))
    prove(BEFORE_ANY_GREATEST == 0)


@theorem("PAST-T6")
def greatest_gives_the_greatest_value_that_counts(history: History, now: Moment, state: int) -> None:
    """PAST-T6: step; what holds up to the moment before holds up to now."""
    assume(all(history.place[moment] != history.place[now] or moment == now for moment in history.place))
    assume(is_greatest_up_to(history, history.place[now] - 1, state))
    possible(history.when[now] and history.value[now] > state and state > 0)
    possible(history.when[now] and history.value[now] < state)
    possible(not history.when[now] and history.value[now] > state)
    prove(is_greatest_up_to(history, history.place[now], greatest_step(state, history.value[now], history.when[now])))


@refuted("PAST-R1", because="the moment itself counts")
def latest_looks_only_at_earlier_moments(history: History, now: Moment, state: int) -> None:
    """PAST-R1: the operator would have the same value now as just before."""
    assume(is_latest_up_to(history, history.place[now] - 1, state))
    prove(latest_step(state, history.value[now], history.when[now]) == state)
