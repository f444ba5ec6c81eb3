"""How far producers can fill an address of Artemis: by AMQP or Core under BLOCK, and under PAGE."""

from dataclasses import dataclass, replace

from tidegate.explain.bounds.answers import no_bound, of_each_producer, of_messages, unknown
from tidegate.explain.bounds.levels import fitting, last_level, least, reached
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import Course
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, artemis_producer
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.artemis import MESSAGE_COST, NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.credit import Window, refill
from tidegate.model.mechanisms.general_address import NO_LEVEL, FurtherCauses, full_of_messages
from tidegate.record.counts import counted


@dataclass(frozen=True)
class Amqp:
    """An Artemis address under BLOCK with AMQP producers; `most_messages` is NO_LEVEL without a limit in messages."""

    limits: AddressLimits
    window: Window
    most_messages: int = NO_LEVEL
    model: Linker = DOCUMENTED

    @property
    def limit(self) -> int:
        """The limit, in bytes, that is varied to meet a target."""
        return self.limits.max_size

    def with_limit(self, limit: int) -> "Amqp":
        """The same with another limit in bytes."""
        return replace(self, limits=replace(self.limits, max_size=limit))

    def open_messages(self, traffic: Traffic) -> int | None:
        """The most messages with which the address is open; None for no limit, below 0 if it is never open."""
        full = self.model.linked(artemis.full)
        by_bytes = last_level(lambda level: not full(self.limits, level))
        return least(fitting(by_bytes, traffic.size), last_messages(self.most_messages))

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the address up to its open level."""
        settings = AddressSettings(self.limits, self.window, self.most_messages)
        return Course(amqp_credit(self.model), settings, max(self.open_messages(traffic) or 0, 0), comes_anew=True)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T1: the messages that fit while the address is open, plus every window; EB-T2 for a reject threshold."""
        rejecting = self.model.linked(artemis.rejecting)
        until = self.open_messages(traffic)
        stored = last_level(lambda level: not rejecting(self.limits, level))
        rejects = None if stored is None else stored // traffic.size + 1
        if self.model.linked(refill)(self.window, 0) < MESSAGE_COST:
            return of_messages(0, traffic, "no producer is ever issued credit", ("ARTEMIS-AMQP-1",), ())
        windows = traffic.producers * self.window.size
        by_credit = None if until is None else max(until, 0) + windows if until >= 0 else 0
        messages = least(by_credit, rejects)
        if messages is None:
            return no_bound("no limit of the address is ever reached", ("ARTEMIS-BLOCK-1",), traffic)
        if rejects is not None and (by_credit is None or rejects < by_credit):
            because = "one message past the reject threshold; the messages after it are rejected"
            return of_messages(messages, traffic, because, ("ARTEMIS-AMQP-9",), ("EB-T2",))
        because = (
            f"credit that was issued before the address was full is still good: "
            f"{counted(self.window.size, 'messages')} for "
            f"{of_each_producer(traffic)}, {windows:,} past the limit, of whatever size"
        )
        return of_messages(messages, traffic, because, ("ARTEMIS-AMQP-7", "ARTEMIS-AMQP-8"), ("EB-T1",))


@dataclass(frozen=True)
class Core:
    """An Artemis address under BLOCK with Core producers, whose window is in bytes."""

    limits: AddressLimits
    window: int
    most_messages: int = NO_LEVEL
    model: Linker = DOCUMENTED

    @property
    def limit(self) -> int:
        """The limit, in bytes, that is varied to meet a target."""
        return self.limits.max_size

    def with_limit(self, limit: int) -> "Core":
        """The same with another limit in bytes."""
        return replace(self, limits=replace(self.limits, max_size=limit))

    def as_charged(self, traffic: Traffic) -> Traffic:
        """The traffic with messages of the least size that an address charges for, if its messages are smaller.

        This size is the largest that costs no more than the smallest message.
        """
        cost = self.model.linked(artemis_producer.cost)
        least = last_level(lambda size: cost(size) <= cost(1)) or 1
        return traffic if traffic.size >= least else replace(traffic, size=least)

    def open_messages(self, traffic: Traffic) -> int | None:
        """The most messages with which the address is open; None for no limit, below 0 if it is never open."""
        full = self.model.linked(artemis.full)
        return fitting(last_level(lambda level: not full(self.limits, level)), traffic.size)

    def course(self, traffic: Traffic) -> Course | None:
        """The course of filling the address; None with a limit in messages, which the mechanism does not have."""
        if self.most_messages != NO_LEVEL:
            return None
        settings = CoreSettings(self.limits, max(self.window, traffic.size))
        until = max(self.open_messages(traffic) or 0, 0)
        cost, each = self.model.linked(artemis_producer.cost), self._on_credit(traffic)
        most = each * cost(traffic.size)
        at_most = None if self._fits(traffic) else last_level(lambda size: cost(size) <= most)
        return Course(core_window(self.model), settings, until, asks_ahead=True, comes_anew=True, at_most=at_most)

    def most_after_a_request(self, traffic: Traffic) -> int:
        """EB-T15: the most bytes of credit that a producer may have through its requests."""
        asked_for = self.model.linked(artemis_producer.asked_for)
        portions: int = self.model.default(artemis_producer, "PORTIONS")
        portion = max(self.window, traffic.size) // portions
        left = max(last_level(lambda left: asked_for(portion, left, traffic.size) > 0) or 0, 0)
        return left + asked_for(portion, left, traffic.size)

    def _on_credit(self, traffic: Traffic) -> int:
        """The most messages that a producer may send without another request."""
        return self.most_after_a_request(traffic) // self.model.linked(artemis_producer.cost)(traffic.size)

    def _fits(self, traffic: Traffic) -> bool:
        """Whether an address grants no more credit than it has room for."""
        full, granted = self.model.linked(artemis.full), self.model.linked(artemis_producer.granted)
        highest = last_level(lambda level: not full(self.limits, level)) or 0
        return granted(self.limits, highest, 0, max(self.window, traffic.size)) <= self.limits.max_size - highest

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T3, EB-T4: the last granted credit fits the address, if grants must fit; every other producer has its most
        credit."""
        charged = self.as_charged(traffic)
        if charged != traffic:
            found = self.bound(charged)
            least = counted(charged.size, "bytes")
            return replace(found, because=f"{found.because}; no message is charged less than {least}")
        granted, cost = self.model.linked(artemis_producer.granted), self.model.linked(artemis_producer.cost)
        window = max(self.window, traffic.size)
        until = self.open_messages(traffic)
        if until is None:
            return no_bound("no limit of the address is ever reached", ("ARTEMIS-CORE-5",), traffic)
        if until < 0:
            return of_messages(0, traffic, "the address is full when it is empty", ("ARTEMIS-BLOCK-1",), ())
        most, fits = self.most_after_a_request(traffic), self._fits(traffic)
        each = self._on_credit(traffic)
        # a grant that must fit is spent up to the limit itself, starting at a lower level
        spent_up = self.limits.max_size // traffic.size
        last = until + granted(self.limits, until * traffic.size, 0, window) // cost(traffic.size)
        alone = max(spent_up, last) if fits else until + each
        # a grant that must fit never exceeds the whole address, and so neither does the credit of another producer
        others = (traffic.producers - 1) * (min(each, spent_up) if fits else each)
        in_messages = last_messages(self.most_messages)
        if in_messages is not None and in_messages + traffic.producers * each < alone + others:
            because = (
                f"a window of {counted(window, 'bytes')} for each producer, granted before the "
                f"address was full of messages"
            )
            return of_messages(in_messages + traffic.producers * each, traffic, because, ("GENERAL-18",), ())
        own = min(window, self.limits.max_size)
        paid = "" if cost(traffic.size) == traffic.size else f", of which a message costs {cost(traffic.size):,}"
        because = (
            f"each of the other producers has {counted(own, 'bytes')} of credit that were granted before "
            f"the address was full"
            if fits
            else (
                f"each producer has up to {counted(most, 'bytes')} of credit{paid}, granted as long as the "
                f"address is not full"
            )
        )
        proved = ("EB-T3", "EB-T12") if fits else ("EB-T4", "EB-T15")
        return of_messages(alone + others, traffic, because, ("ARTEMIS-CORE-5", "ARTEMIS-CORE-6"), proved)


@dataclass(frozen=True)
class Paging:
    """An Artemis address that pages up to a limit; -1 means no limit, `page` is None if it is not set."""

    limit: int
    most_messages: int
    page_limit: int
    most_paged: int
    page: int | None
    """The bytes of one page."""

    @property
    def has_room_for_a_page(self) -> bool:
        """Whether the limit of pages certainly has room for one page."""
        return self.page_limit == NO_LIMIT or (self.page is not None and self.page <= self.page_limit)

    def with_limit(self, limit: int) -> "Paging":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def course(self, traffic: Traffic) -> Course | None:
        """None: the model has only the promised bound."""
        return None

    def bound(self, traffic: Traffic) -> Bound:
        """GENERAL-34: the messages in memory, the limit of pages, and one page and one message beyond it."""
        in_memory = least(reached(self.limit, traffic.size), None if self.most_messages < 0 else self.most_messages)
        paged = least(reached(self.page_limit, traffic.size), None if self.most_paged < 0 else self.most_paged)
        if in_memory is None:
            return unknown("how much the address holds in memory is a part of the heap", ("GENERAL-34",))
        if paged is None:
            return no_bound("no limit of pages is set", ("GENERAL-34",), traffic)
        if self.page is None:
            return unknown("page-size-bytes is not known, and one page may come past the limit", ("GENERAL-34",))
        because = "what fits into memory, the limit of pages, and one page and one message past that"
        most = in_memory + paged + self.page // traffic.size + 1
        return of_messages(most, traffic, because, ("GENERAL-34",), ())


def last_messages(most: int) -> int | None:
    """GENERAL-18: the most messages at which an address is not full of messages; None for no limit."""
    return last_level(lambda level: not full_of_messages(FurtherCauses(False, most, level)))
