"""Steps about a destination that is full in bytes and in messages, and gets room in one of the two."""

from pytest_bdd import given, parsers, then

from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import State
from tidegate.conformance.scenarios.common import is_accepted, only_destination, opened

LATECOMER = "latecomer"


@given(
    parsers.re(r"producers that are attached sent a message each, of (?P<sizes>\d+(?:, \d+)* and \d+) bytes"),
    target_fixture="held",
)
def each_sends(lab: Lab, sizes: str) -> tuple[str, ...]:
    """Have each of several producers send a message; returns the names of the producers that are then stopped."""
    figures = [int(size) for size in sizes.replace(" and ", ", ").split(", ")]
    names = [f"producer {number}" for number in range(1, len(figures) + 1)]
    for name in names:
        opened(lab, name)
    for name, size in zip(names, figures, strict=True):
        fills = not lab.has_room(name, size)
        is_accepted(lab, name, size)
        if fills and "amqp-credit" in lab.adapter.capabilities:
            # ARTEMIS-AMQP-7: a full address may refuse messages that are sent with earlier credit
            lab.promises[State.PAST_THE_LIMIT] = None
    standings = lab.rest(dict.fromkeys(names, lambda seen: seen.stopped))
    return tuple(name for name, standing in standings.items() if standing.stopped)


@then("the stopped producers are still stopped, and so is a latecomer after a message of 1 byte")
def stopped_still(lab: Lab, held: tuple[str, ...]) -> None:
    lab.send(opened(lab, LATECOMER), 1)
    standings = lab.rest(dict.fromkeys((*held, LATECOMER), lambda seen: seen.stopped))
    free = [name for name, standing in standings.items() if not standing.stopped]
    left = lab.depth(only_destination(lab))
    there = f"at {lab.in_words(left.bytes)} in {left.messages} messages"
    expected = f"{', '.join(standings)} stopped {there}"
    lab.verify(not free, expected, f"free {there}: {', '.join(free)}" if free else f"all of them stopped {there}")
