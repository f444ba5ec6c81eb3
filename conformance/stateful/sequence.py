"""A random sequence as it is told: what happened in it, how it ended, and what was otherwise when it was repeated."""

from collections.abc import Sequence as Several
from dataclasses import dataclass, field
from itertools import zip_longest

from tidegate.adapters.base import AdapterError
from tidegate.conformance.findings import Deviation, Varies
from tidegate.conformance.lab import Lab
from tidegate.conformance.story import last_in_words, story
from tidegate.record.events import Event, Kind


@dataclass
class Sequence:
    """One sequence in a lab of its own."""

    lab: Lab
    events: list[Event] = field(default_factory=list)
    error: BaseException | None = None
    """What ended it; None where nothing did."""

    @property
    def last_sent(self) -> str:
        """The id of the message that was sent last."""
        return next(event.message_id or "" for event in reversed(self.events) if event.kind is Kind.SEND)

    @property
    def told(self) -> tuple[str, ...]:
        """What happened, as lines; where the implementation failed, what it was asked for then is the last one."""
        lines = (*self.lab.weave.givens, *story(self.events, self.lab.in_words))
        return (*lines, f"then it is asked to {self.lab.asked}") if isinstance(self.error, AdapterError) else lines

    def told_until(self, last: Event) -> tuple[str, ...]:
        """What happened up to an event."""
        return (*self.lab.weave.givens, *story(self._until(last), self.lab.in_words))

    def seen_at(self, last: Event) -> str:
        """What an event says."""
        return last_in_words(self._until(last), self.lab.in_words)

    @property
    def end(self) -> str:
        """How it ended."""
        if isinstance(self.error, Deviation):
            return self.error.seen
        return "it went on" if self.error is None else str(self.error)

    def _until(self, last: Event) -> list[Event]:
        return [event for event in self.events if event.seq <= last.seq]


def varying(sequences: Several[Sequence]) -> Varies:
    """The finding where the last sequence took the steps of an earlier one, and ended otherwise."""
    again = sequences[-1]
    failed = [one for one in sequences[:-1] if one.error is not None]
    first = max(reversed(failed), key=lambda one: _alike(one, again), default=again)
    expected = first.error.expected if isinstance(first.error, Deviation) else "the same each time"
    once, then = _first_difference(first, again)
    return Varies(expected, f"not the same when repeated: once {once}; the next time {then}", done=first.told)


def _alike(one: Sequence, other: Sequence) -> int:
    """With how many lines both begin."""
    lines = enumerate(zip_longest(one.told, other.told))
    return next((number for number, (this, that) in lines if this != that), len(one.told))


def _first_difference(one: Sequence, other: Sequence) -> tuple[str, str]:
    """The first lines that differ, or how each ended where none does."""
    for this, that in zip_longest(one.told, other.told):
        if this != that:
            return _with_end(this, one), _with_end(that, other)
    return one.end, other.end


def _with_end(line: str | None, sequence: Sequence) -> str:
    """A line of a sequence, and how it ended where that was by a failure of the implementation."""
    failed = isinstance(sequence.error, AdapterError)
    return " and ".join(filter(None, [line, sequence.end if failed or line is None else ""]))
