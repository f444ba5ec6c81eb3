"""The states with which checks begin, and the rules that promise these states.

A check that does not reach its initial state tells nothing about its own rules: they are unknown. A run that told only
that would hide the reason. So the check judges the rule that promises the state instead, wherever the check runs: this
rule needs no more capabilities than the check.

A `When` may build on such a state as well. If it does not come about there, the rule that promises it is violated, too:
beside the rules of the check.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

from tidegate.conformance.findings import Deviation, NotReached


class State(StrEnum):
    """A state with which a check may begin."""

    ROOM = "room"
    """A message that fits within every limit was accepted."""
    PAST_THE_LIMIT = "past the limit"
    """A message that takes its destination to a limit or past it was accepted."""
    STOPPED = "stopped"
    """A producer is stopped."""
    CREDIT = "credit"
    """A producer has a given number of credits left."""
    COMMITTED = "committed"
    """A transaction was committed."""
    DELIVERED = "delivered"
    """Messages were handed to a consumer."""
    EMPTY = "empty"
    """The charge of a destination with a history is back at zero."""
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
    "queue-gate": {State.PAST_THE_LIMIT: "QPID-QUEUE-8", State.STOPPED: "QPID-QUEUE-8"},
    "stops-producers": {State.STOPPED: "GENERAL-20"},
}
"""For the capability of each mechanism, the rule that promises each state; of several mechanisms the first counts."""
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
"""The rule that a waiting send goes on once its producer may send, by the capabilities that the rule needs."""


def goes_on_by(capabilities: Collection[str]) -> str:
    """The rule that a waiting send goes on, for an implementation with these capabilities."""
    claimed = frozenset(capabilities)
    return next((rule for needs, rule in GOES_ON.items() if needs <= claimed), "GENERAL-3")


def said_by(state: State, needs: Collection[str]) -> str | None:
    """The rule that promises the state to a check with these needs; None if no rule does."""
    of_mechanism = (rules[state] for need, rules in BY_MECHANISM.items() if need in needs and state in rules)
    return OF_ANY.get(state) or next(of_mechanism, None)


def promised(deviation: Deviation, needs: Collection[str]) -> str | None:
    """The rule that promises the state that did not come about in a check with these needs; None if no rule does."""
    return deviation.promised_by or (said_by(State(deviation.state), needs) if deviation.state else None)


def not_reached(deviation: Deviation, given: str, needs: Collection[str]) -> NotReached:
    """The end of a check with these needs whose step `given` did not reach its state."""
    return NotReached(given, deviation.expected, deviation.seen, promised(deviation, needs), deviation.is_permitted)
