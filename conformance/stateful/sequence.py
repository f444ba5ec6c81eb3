"""The report of a random sequence: its events, its end, and the difference when it was repeated."""

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
    """One sequence in its own lab."""

    lab: Lab
    events: list[Event] = field(default_factory=list)
    error: BaseException | None = None
    """The error that ended the sequence; None without one."""

    @property
    def last_sent(self) -> str:
        """The id of the message that was sent last."""
        return next(event.message_id or "" for event in reversed(self.events) if event.kind is Kind.SEND)

    @property
    def told(self) -> tuple[str, ...]:
        """The steps as lines; if the implementation failed, the last line is what it was asked for."""
        lines = (*self.lab.weave.givens, *story(self.events, self.lab.in_words))
        return (*lines, f"then it is asked to {self.lab.asked}") if isinstance(self.error, AdapterError) else lines

    def told_until(self, last: Event) -> tuple[str, ...]:
        """The steps up to an event, as lines."""
        return (*self.lab.weave.givens, *story(self._until(last), self.lab.in_words))

    def seen_at(self, last: Event) -> str:
        """An event in words."""
        return last_in_words(self._until(last), self.lab.in_words)

    @property
    def end(self) -> str:
        """The end of the sequence in words."""
        if isinstance(self.error, Deviation):
            return self.error.seen
        return "it went on" if self.error is None else str(self.error)

    def _until(self, last: Event) -> list[Event]:
        return [event for event in self.events if event.seq <= last.seq]


def varying(sequences: Several[Sequence]) -> Varies:
    """The finding when the last sequence took the same steps as an earlier one and ended otherwise."""
    again = sequences[-1]
    failed = [one for one in sequences[:-1] if one.error is not None]
    first = max(reversed(failed), key=lambda one: _alike(one, again), default=again)
    expected = first.error.expected if isinstance(first.error, Deviation) else "the same each time"
    once, then = _first_difference(first, again)
    return Varies(expected, f"the repetition differs: once {once}; the next time {then}", done=first.told)


def _alike(one: Sequence, other: Sequence) -> int:
    """The number of lines with which both begin alike."""
    lines = enumerate(zip_longest(one.told, other.told))
    return next((number for number, (this, that) in lines if this != that), len(one.told))


def _first_difference(one: Sequence, other: Sequence) -> tuple[str, str]:
    """The first two lines that differ, or else the ends of both."""
    for this, that in zip_longest(one.told, other.told):
        if this != that:
            return _with_end(this, one), _with_end(that, other)
    return one.end, other.end


def _with_end(line: str | None, sequence: Sequence) -> str:
    """A line of a sequence, with its end if the implementation failed or the line is missing."""
    failed = isinstance(sequence.error, AdapterError)
    return " and ".join(filter(None, [line, sequence.end if failed or line is None else ""]))
