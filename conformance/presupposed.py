"""What a check begins with, and which rule says that it comes about.

A check that cannot begin says nothing of its own rules: they are unknown. But a run that only said so would hide why.
So the rule that promises what the check begins with is judged by it instead, wherever the check runs: it needs no more
than the check does.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

from tidegate.conformance.findings import Deviation, NotReached


class State(StrEnum):
    """What a check may begin with."""

    ROOM = "room"
    """A message was accepted that fits within every limit."""
    PAST_THE_LIMIT = "past the limit"
    """A message was accepted that takes its destination to a limit, or past one."""
    STOPPED = "stopped"
    """A producer is stopped."""
    CREDIT = "credit"
    """A producer has a given number of credits left."""
    COMMITTED = "committed"
    """A transaction was committed."""
    DELIVERED = "delivered"
    """Messages were handed to a consumer."""
    EMPTY = "empty"
    """A destination that was used before is charged nothing."""
    POSITIVE = "zero or more"
    """No figure is negative."""


BY_MECHANISM: Mapping[str, Mapping[State, str]] = {
    "disk-quota": {State.PAST_THE_LIMIT: "QPID-DISK-3", State.STOPPED: "QPID-DISK-3"},
    "memory-ratio": {State.PAST_THE_LIMIT: "ANDES-MEMORY-1", State.STOPPED: "ANDES-MEMORY-1"},
    "policies": {State.PAST_THE_LIMIT: "QPID-POLICY-1", State.STOPPED: "QPID-POLICY-1"},
    "core-window": {State.PAST_THE_LIMIT: "ARTEMIS-CORE-1"},
    "reject-threshold": {State.PAST_THE_LIMIT: "ARTEMIS-AMQP-9"},
    "amqp-credit": {State.PAST_THE_LIMIT: "ARTEMIS-AMQP-1", State.CREDIT: "ARTEMIS-AMQP-5"},
    "suspended-connections": {State.PAST_THE_LIMIT: "CLASSIC-CONNECTION-1"},
    "memory-limit": {State.PAST_THE_LIMIT: "CLASSIC-MEMORY-1", State.STOPPED: "CLASSIC-MEMORY-2"},
    "queue-gate": {State.PAST_THE_LIMIT: "QPID-QUEUE-8", State.STOPPED: "QPID-QUEUE-7"},
    "stops-producers": {State.STOPPED: "GENERAL-20"},
}
"""For the capability of each mechanism, the rules of its reaction; of several mechanisms the first counts."""
OF_ANY: Mapping[State, str] = {
    State.ROOM: "GENERAL-21",
    State.COMMITTED: "GENERAL-16",
    State.DELIVERED: "GENERAL-2",
    State.EMPTY: "GENERAL-8",
    State.POSITIVE: "GENERAL-22",
}
"""For every mechanism, the rule that promises a state."""


GOES_ON: Mapping[frozenset[str], str] = {
    frozenset({"queue-gate", "client-wait"}): "QPID-CLIENT-1",
    frozenset({"policies", "client-wait"}): "QPID-SEND-2",
    frozenset({"memory-ratio", "client-wait"}): "ANDES-CLIENT-1",
    frozenset({"core-window", "late-answers"}): "ARTEMIS-CORE-8",
    frozenset({"memory-limit", "late-answers"}): "CLASSIC-MEMORY-3",
}
"""The rule that a send which waited goes on once its producer may send, by the capabilities that it needs."""


def goes_on_by(capabilities: Collection[str]) -> str:
    """The rule that says it of an implementation with these capabilities."""
    claimed = frozenset(capabilities)
    return next((rule for needs, rule in GOES_ON.items() if needs <= claimed), "GENERAL-3")


def said_by(state: State, needs: Collection[str]) -> str | None:
    """The rule that says that a check with these needs comes to the state; None if none does."""
    of_mechanism = (rules[state] for need, rules in BY_MECHANISM.items() if need in needs and state in rules)
    return OF_ANY.get(state) or next(of_mechanism, None)


def not_reached(deviation: Deviation, given: str, needs: Collection[str]) -> NotReached:
    """How a check with these needs ends whose step `given` did not come about."""
    rule = deviation.promised_by or (said_by(State(deviation.state), needs) if deviation.state else None)
    return NotReached(given, deviation.expected, deviation.seen, rule, deviation.is_permitted)
