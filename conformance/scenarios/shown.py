"""Steps about stopped producers and used limits as management shows them."""

from collections.abc import Callable, Sequence

from pytest_bdd import parsers, then

from tidegate.adapters.base import Unsupported
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import only_destination
from tidegate.conformance.scenarios.general import STRANGER
from tidegate.model.mechanisms.general_shown import is_shown_rightly
from tidegate.model.traces.general_shown import FREE, STOPPED


@then(parsers.re(r"management shows every producer as (?P<state>stopped|free)"))
def shows_every_producer(lab: Lab, state: str) -> None:
    shows_each(lab, state, lab.compared)


@then("management shows that producer as free")
def shows_that_producer(lab: Lab) -> None:
    shows_each(lab, FREE, [name for name in lab.compared if name == STRANGER])


def shows_each(lab: Lab, state: str, names: Sequence[str]) -> None:
    """Check that management eventually shows each of these producers in this state, or does not show the producer."""

    def look() -> list[str]:
        shown = {name: lab.shown_stopped(name) for name in names}
        return [name for name, stopped in shown.items() if stopped is not None and stopped is not (state == STOPPED)]

    otherwise = lab.comes_to(look, lambda found: not found)
    seen = f"{', '.join(otherwise)} as {FREE if state == STOPPED else STOPPED}" if otherwise else "so"
    lab.verify(not otherwise, f"every producer shown as {state}", seen)


@then(parsers.parse("management shows the percentage of the limit that {used:d} bytes use"))
def shows_used(lab: Lab, used: int) -> None:
    shows_use(lab, lambda: lab.real(used))


@then("management shows the percentage of the limit that the charged bytes use")
def shows_charged(lab: Lab) -> None:
    shows_use(lab, lambda: lab.depth(only_destination(lab)).bytes)


def shows_use(lab: Lab, used: Callable[[], int]) -> None:
    """Check that management eventually shows `used` bytes as a percentage of the only destination's limit."""
    destination = only_destination(lab)
    limit = lab.limit_bytes_of(destination)
    if limit < 0:
        raise Unsupported("the destination has no limit of its own")

    def look() -> tuple[int | None, int]:
        return lab.shown_percent(destination), used()

    def is_right(seen: tuple[int | None, int]) -> bool:
        return seen[0] is None or is_shown_rightly(seen[0], seen[1], limit)

    percent, charged = lab.comes_to(look, is_right)
    expected = f"the per cent of {lab.in_words(limit)} that {lab.in_words(charged)} are"
    lab.verify(is_right((percent, charged)), expected, f"{percent} per cent")
