"""How far producers can fill a destination that never stops them: it refuses or drops messages, or has no limit."""

from dataclasses import dataclass, replace

from tidegate.explain.bounds.answers import no_bound, of_each_producer, of_messages
from tidegate.explain.bounds.levels import least, reached
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import Course
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import Window


@dataclass(frozen=True)
class Refusing:
    """A destination that refuses or drops messages beyond its limits; -1 means no limit."""

    limit: int
    most_messages: int
    refuses: bool
    fits: bool = False
    """Whether a message counts before it is stored, as in Broker-J, so that none is refused too late."""

    def with_limit(self, limit: int) -> "Refusing":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def course(self, traffic: Traffic) -> Course | None:
        """The course of growing without a limit; None with a limit, for which the model has only the promised bound."""
        if self.limit >= 0 or self.most_messages >= 0:
            return None
        return Course(
            amqp_credit(), AddressSettings(AddressLimits(NO_LIMIT, NO_LIMIT, blocks=False), Window(size=1, low=0)), 0
        )

    def bound(self, traffic: Traffic) -> Bound:
        """GENERAL-31, GENERAL-33: at most one message beyond either limit."""
        if self.fits:
            return self._within(traffic)
        by_bytes = reached(self.limit, traffic.size)
        by_messages = None if self.most_messages < 0 else self.most_messages
        until = least(by_bytes, by_messages)
        rule = "GENERAL-31" if self.refuses else "GENERAL-33"
        if until is None:
            return no_bound("no limit is ever reached", (rule,), traffic)
        end = "later messages are refused" if self.refuses else "older or newer messages are dropped for it"
        return of_messages(until + 1, traffic, f"one message past the limit; {end}", (rule,), ())

    def _within(self, traffic: Traffic) -> Bound:
        """The messages that fit within either limit; if messages are dropped, one more of each producer, until the
        broker has dropped others for it."""
        by_bytes = None if self.limit < 0 else self.limit // traffic.size
        until = least(by_bytes, None if self.most_messages < 0 else self.most_messages)
        rule = "GENERAL-31" if self.refuses else "GENERAL-33"
        if until is None:
            return no_bound("no limit is ever reached", (rule,), traffic)
        if self.refuses:
            return of_messages(until, traffic, "what fits within the limit; other messages are refused", (rule,), ())
        because = (
            f"what fits within the limit, and one message from {of_each_producer(traffic)} until others are dropped"
        )
        return of_messages(until + traffic.producers, traffic, because, (rule,), ())


@dataclass(frozen=True)
class Open:
    """A destination that never stops its producers."""

    limit: int
    why: str
    rules: tuple[str, ...]
    met: Course | None = None
    """The course of its producers."""

    def with_limit(self, limit: int) -> "Open":
        """The same with another limit, which changes nothing."""
        return replace(self, limit=limit)

    def course(self, traffic: Traffic) -> Course | None:
        """The course of growing."""
        return self.met

    def bound(self, traffic: Traffic) -> Bound:
        """No bound, with steps that make the destination grow."""
        return no_bound(self.why, self.rules, traffic)
