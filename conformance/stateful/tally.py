"""Counts of random sequences: actions by name, looks at producers, and deeds."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from tidegate.conformance.stateful.actions import Verb


class Deed(StrEnum):
    """Something that a check is about, and that must have happened for its rules to be kept."""

    STOPPED = "a producer was seen to be stopped"
    STOPPED_BY_MESSAGES = "a producer was stopped by a limit in messages"
    RELEASED = "messages were consumed while a producer was stopped"
    PURGED = "the destination was purged while a producer was stopped"
    RAISED = "its limit was raised while a producer was stopped"
    LOWERED = "its limit was lowered below what it held"
    CLOSED = "a stopped producer was closed beside another one"
    KILLED = "the connection of a stopped producer was broken beside another one"
    RETURNED = "a consumer gave messages back while a producer was stopped"
    REFUSED = "a consumer refused a message for good while a producer was stopped"
    GAVE_BACK = "a consumer was closed that held messages"
    GAVE_BACK_BROKEN = "the connection of a consumer was broken that held messages"
    ORDERED = "management ordered a stop while a producer was stopped"
    LIFTED = "management lifted its order"
    COMMITTED = "a transaction of several messages was committed"
    ROLLED_BACK = "a transaction of several messages was rolled back"
    EXPIRED = "messages expired"
    RECREATED = "the destination was created again while a producer was stopped"
    RESTARTED = "the broker was started again while a producer was stopped"
    LEFT = "a producer left with its transaction open"
    STOPPED_BESIDE = "something was done at one destination while a producer of another was stopped"
    NAMING_STOPPED = "an anonymous producer was stopped"
    BOTH_STOPPED = "a producer of both destinations was stopped"


WHILE_STOPPED = {
    Verb.CONSUME: Deed.RELEASED,
    Verb.GIVE_BACK: Deed.RETURNED,
    Verb.GIVE_UP: Deed.REFUSED,
    Verb.PURGE: Deed.PURGED,
    Verb.RAISE: Deed.RAISED,
    Verb.RAISE_MESSAGES: Deed.RAISED,
    Verb.CLOSE_PRODUCER: Deed.CLOSED,
    Verb.KILL_PRODUCER: Deed.KILLED,
    Verb.ORDER: Deed.ORDERED,
    Verb.RECREATE: Deed.RECREATED,
    Verb.RESTART: Deed.RESTARTED,
}
"""The deed of each verb while a producer is stopped."""
AT_ANY_TIME = {
    Verb.LOWER: Deed.LOWERED,
    Verb.LOWER_MESSAGES: Deed.LOWERED,
    Verb.CLOSE_CONSUMER: Deed.GAVE_BACK,
    Verb.KILL_CONSUMER: Deed.GAVE_BACK_BROKEN,
    Verb.LIFT: Deed.LIFTED,
    Verb.COMMIT: Deed.COMMITTED,
    Verb.ROLL_BACK: Deed.ROLLED_BACK,
    Verb.EXPIRE: Deed.EXPIRED,
    Verb.CLOSE_TRANSACTED: Deed.LEFT,
    Verb.KILL_TRANSACTED: Deed.LEFT,
    Verb.ATTACH_NAMING: Deed.NAMING_STOPPED,
    Verb.ATTACH_BOTH: Deed.BOTH_STOPPED,
}
"""The deed of each verb at any time."""

ASKED_BY_NO_CHECK = frozenset({Deed.EXPIRED, Deed.RECREATED, Deed.RESTARTED, Deed.LEFT})
"""The deeds for which no run lasts longer."""


@dataclass
class Tally:
    """The counts of one or more sequences."""

    sequences: int = 0
    actions: Counter[Verb] = field(default_factory=Counter)
    looks: int = 0
    stopped: int = 0
    """Looks at a producer at rest, and the number of these that saw it stopped."""
    deeds: Counter[Deed] = field(default_factory=Counter)
    in_pairs: set[tuple[Verb, Verb]] = field(default_factory=set)
    """Each action that was done while a producer was stopped, after the action before it."""

    def add(self, other: "Tally") -> None:
        """Add the counts of another tally."""
        self.sequences += other.sequences
        self.actions += other.actions
        self.looks += other.looks
        self.stopped += other.stopped
        self.deeds += other.deeds
        self.in_pairs |= other.in_pairs

    def __str__(self) -> str:
        named = ", ".join(f"{count:,} {verb}" for verb, count in self.actions.most_common())
        return (
            f"{self.sequences:,} sequences, {self.actions.total():,} actions ({named}), "
            f"{self.looks:,} looks at a producer, {self.stopped:,} of them at a stopped one, "
            f"{len(self.in_pairs):,} pairs of actions at a stopped one"
        )
