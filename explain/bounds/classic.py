"""How far producers can fill a destination of ActiveMQ Classic, and a limit that all destinations share."""

from dataclasses import dataclass, replace

from tidegate.explain.bounds.answers import no_bound, of_messages
from tidegate.explain.bounds.levels import fitting, last_level
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import Course
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic, classic_usage
from tidegate.model.mechanisms.memory_limit import memory_limit


@dataclass(frozen=True)
class Memory:
    """An ActiveMQ Classic destination whose messages use its memory, up to a limit in bytes."""

    limit: int
    controlled: bool = True
    model: Linker = DOCUMENTED

    def with_limit(self, limit: int) -> "Memory":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the destination, the same for every sender."""
        mechanism = memory_limit(self.model)
        begins = replace(mechanism, empty=lambda limit: classic.Destination(limit, self.controlled, 0))
        return Course(begins, self.limit, max(self.open_messages(traffic) or 0, 0))

    def open_messages(self, traffic: Traffic) -> int | None:
        """The most messages with which no send is held back; None for no limit, below 0 if every send is held back."""
        holds_back = self.model.linked(classic.holds_back)
        until = last_level(lambda level: not holds_back(classic.Destination(self.limit, self.controlled, level)))
        return fitting(until, traffic.size)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T7, CLASSIC-MEMORY-1: the limit is checked before each message is stored, for every sender."""
        until = self.open_messages(traffic)
        if until is None:
            rule = "CLASSIC-MEMORY-1" if self.controlled else "CLASSIC-MEMORY-6"
            return no_bound("nothing holds a send back", (rule,), traffic)
        because = "one message past the limit, however many producers there are: a send to a full destination waits"
        messages = until + 1 if until >= 0 else 0
        return of_messages(messages, traffic, because, ("CLASSIC-MEMORY-1", "CLASSIC-MEMORY-2"), ("EB-T7",))


@dataclass(frozen=True)
class Shared:
    """A limit in bytes that all destinations of an ActiveMQ Classic broker share: its store or temporary files."""

    limit: int
    rules: tuple[str, ...]
    model: Linker = DOCUMENTED

    def with_limit(self, limit: int) -> "Shared":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def course(self, traffic: Traffic) -> Course | None:
        """None: a shared limit is no mechanism of a single destination."""
        return None

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T8, CLASSIC-USAGE-1: the limit is reached in the same way as a destination's memory limit."""
        exhausted = self.model.linked(classic_usage.exhausted)
        until = fitting(last_level(lambda level: not exhausted(self.limit, level)), traffic.size)
        if until is None:
            return no_bound("the limit is none", self.rules, traffic)
        because = "one message past the limit that all destinations share"
        return of_messages(until + 1, traffic, because, self.rules, ("EB-T8",))
