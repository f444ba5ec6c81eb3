"""Steps about several queues that get the same messages."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import fill_limits, what_was_told
from tidegate.conformance.scenarios.general import DESTINATION, resumed_at

FIRST, LAST = "queue bound first", "queue bound last"


@given(parsers.parse("a destination of {size:d} bytes, bound between wide queues"))
def bound_between_wide(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, limits_of(lab, size), {FIRST: Limits()}, LAST)


@given(parsers.parse("a destination of {size:d} bytes, bound behind a queue that is like it"))
def bound_behind_its_like(lab: Lab, size: int) -> None:
    lab.declare_bound(DESTINATION, limits_of(lab, size), {FIRST: limits_of(lab, size)}, LAST)


def limits_of(lab: Lab, size: int) -> Limits:
    """The limits of a queue that may hold so many bytes."""
    return replace(fill_limits(lab), limit_bytes=size, resume_bytes=resumed_at(size))


@when("everything is consumed at the queues beside it")
def consumed_beside(lab: Lab) -> None:
    for queue in (FIRST, LAST):
        lab.consume_everything(queue)


@when("the queues beside it are deleted")
def deleted_beside(lab: Lab) -> None:
    for queue in (FIRST, LAST):
        lab.unbind(DESTINATION, queue)


@then("each bound queue delivers each accepted message once")
def delivered_by_each(lab: Lab) -> None:
    accepted = sorted(name for name, outcome in what_was_told(lab).items() if outcome is Outcome.ACCEPTED)
    wrong = [queue for queue in (FIRST, LAST, DESTINATION) if delivered(lab, queue) != accepted]
    lab.verify(not wrong, f"{len(accepted)} messages once by each queue", f"otherwise by {', '.join(wrong) or 'none'}")


def delivered(lab: Lab, queue: str) -> list[str]:
    """The ids of the messages that a queue delivers until it is empty, in alphabetical order."""
    before = len(lab.own_calls)
    lab.consume_everything(queue)
    taken = (call for call in lab.own_calls[before:] if call.verb == "take")
    return sorted(call.answer.message_id for call in taken if call.answer is not None)
