"""Computes how far any number of producers can fill a destination, by the rules of the model.

The levels come from the rules themselves: each rule is searched for the highest level at which producers may still
send, so that a threshold is written only in the model. Theorems (EB-T1 to EB-T8) tell how many messages come after that
level. All messages have one size in bytes; consumers may take any messages in between.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from tidegate.explain.vocabulary import Bound, Traffic, amount
from tidegate.explain.witness import Course, goes_on, witness
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, artemis_producer, classic, classic_usage, qpid, qpid942
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.artemis import MESSAGE_COST, NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.credit import Window, refill
from tidegate.model.mechanisms.general_address import NO_LEVEL, FurtherCauses, full_of_messages
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.queue_gate import queue_gate

MOST = 1 << 62
"""A level, in bytes, that no destination reaches."""
NEVER_OPEN = -1
"""Stands for the level if producers may not send even to an empty destination."""


def last_level(is_open: Callable[[int], bool]) -> int | None:
    """The highest level from 0 on at which a rule is true; NEVER_OPEN if it is false at 0, None if it is always true.

    The rule is true up to some level and false above it.
    """
    if not is_open(0):
        return NEVER_OPEN
    if is_open(MOST):
        return None
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_open(middle) else (low, middle)
    return low


def fitting(level: int | None, size: int) -> int | None:
    """The most messages whose bytes do not exceed a level; None for no limit."""
    return None if level is None else level // size


def least(*counts: int | None) -> int | None:
    """The least count; None stands for no limit."""
    known = [count for count in counts if count is not None]
    return min(known) if known else None


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
            f"credit that was issued before the address was full is still good: {self.window.size:,} messages for "
            f"{_of_each_producer(traffic)}, {windows:,} past the limit, of whatever size"
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
            least = amount(charged.size, "bytes")
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
            because = f"a window of {window:,} bytes for each producer, granted before the address was full of messages"
            return of_messages(in_messages + traffic.producers * each, traffic, because, ("GENERAL-18",), ())
        own = min(window, self.limits.max_size)
        paid = "" if cost(traffic.size) == traffic.size else f", of which a message costs {cost(traffic.size):,}"
        because = (
            f"each of the other producers has {own:,} bytes of credit that were granted before the address was full"
            if fits
            else f"each producer has up to {most:,} bytes of credit{paid}, granted as long as the address is not full"
        )
        proved = ("EB-T3", "EB-T12") if fits else ("EB-T4", "EB-T15")
        return of_messages(alone + others, traffic, because, ("ARTEMIS-CORE-5", "ARTEMIS-CORE-6"), proved)


@dataclass(frozen=True)
class Gate:
    """A Qpid queue with its levels in force, in bytes and in messages (None: no limit in messages)."""

    queue: qpid.Queue
    messages: qpid.Queue | None = None
    model: Linker = DOCUMENTED

    @property
    def limit(self) -> int:
        """The limit, in bytes, that is varied to meet a target."""
        return self.queue.capacity

    def with_limit(self, limit: int) -> "Gate":
        """The same with another capacity, and the resume level in the same proportion."""
        old = self.queue
        resume = old.resume if old.capacity <= 0 or old.resume < 0 else old.resume * limit // old.capacity
        return replace(self, queue=replace(old, capacity=limit, resume=resume))

    def open_until(self, queue: qpid.Queue) -> int | None:
        """The highest level at which the queue holds no producer, or releases held producers; None for no limit."""
        overfull, underfull = self.model.linked(qpid.overfull), self.model.linked(qpid.underfull)
        open_level = last_level(lambda level: not overfull(replace(queue, bytes=level)))
        lets_go = last_level(lambda level: underfull(replace(queue, bytes=level)))
        return None if open_level is None or lets_go is None else max(open_level, lets_go)

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the queue, up to the limit in bytes or in messages that is reached first."""
        by_bytes = fitting(self.open_until(self.queue), traffic.size)
        by_messages = None if self.messages is None else self.open_until(self.messages)
        until = least(by_bytes, by_messages)
        counted = self.messages if until is not None and until == by_messages else None
        levels = counted or self.queue
        settings = qpid.Limits(levels.capacity, levels.resume)
        return Course(queue_gate(self.model), settings, until or 0, in_messages=counted is not None)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T5, EB-T6: a message beyond the open levels blocks its sender, and each of N producers can be blocked
        once."""
        by_bytes = fitting(self.open_until(self.queue), traffic.size)
        by_messages = None if self.messages is None else self.open_until(self.messages)
        until = least(by_bytes, by_messages)
        if until is None:
            return no_bound("the queue has no limit", ("QPID-QUEUE-3",), traffic)
        because = (
            f"one message from {_of_each_producer(traffic)} past the limit, the crossing message "
            "among them: a producer is stopped by its own message"
        )
        proved = ("EB-T5", "EB-T6")
        return of_messages(until + traffic.producers, traffic, because, ("QPID-QUEUE-8", "QPID-QUEUE-12"), proved)


@dataclass(frozen=True)
class Policy:
    """A queue with the policy of QPID-942, whose producers are blocked beyond a limit in bytes."""

    limit: int
    model: Linker = DOCUMENTED

    def with_limit(self, limit: int) -> "Policy":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def open_messages(self, traffic: Traffic) -> int | None:
        """The most messages that do not violate the policy; None for no limit."""
        violated = self.model.linked(qpid942.violated)
        policy = qpid942.Policy(self.limit, qpid942.NOT_SET)
        return fitting(last_level(lambda level: not violated(policy, level, 0)), traffic.size)

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the queue."""
        policy = qpid942.Policy(self.limit, qpid942.NOT_SET)
        return Course(queue_policy(self.model), policy, self.open_messages(traffic) or 0)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T13, EB-T14: a message beyond the policy blocks its sender, and each of N producers can be blocked
        once."""
        until = self.open_messages(traffic)
        if until is None:
            return no_bound("the queue has no policy", ("QPID-POLICY-5",), traffic)
        because = f"one message from {_of_each_producer(traffic)} past the policy"
        return of_messages(until + traffic.producers, traffic, because, ("QPID-POLICY-1",), ("EB-T13", "EB-T14"))


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


@dataclass(frozen=True)
class Refusing:
    """A destination that refuses or drops messages beyond its limits; -1 means no limit."""

    limit: int
    most_messages: int
    refuses: bool

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
        by_bytes = _reached(self.limit, traffic.size)
        by_messages = None if self.most_messages < 0 else self.most_messages
        until = least(by_bytes, by_messages)
        rule = "GENERAL-31" if self.refuses else "GENERAL-33"
        if until is None:
            return no_bound("no limit is ever reached", (rule,), traffic)
        end = "those after it are refused" if self.refuses else "older or newer messages are dropped for it"
        return of_messages(until + 1, traffic, f"one message past the limit; {end}", (rule,), ())


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
        in_memory = least(_reached(self.limit, traffic.size), None if self.most_messages < 0 else self.most_messages)
        paged = least(_reached(self.page_limit, traffic.size), None if self.most_paged < 0 else self.most_paged)
        if in_memory is None:
            return unknown("how much the address holds in memory is a part of the heap", ("GENERAL-34",))
        if paged is None:
            return no_bound("no limit of pages is set", ("GENERAL-34",), traffic)
        if self.page is None:
            return unknown("page-size-bytes is not set, and one page may come past the limit", ("GENERAL-34",))
        because = "what fits into memory, the limit of pages, and one page and one message past that"
        most = in_memory + paged + self.page // traffic.size + 1
        return of_messages(most, traffic, because, ("GENERAL-34",), ())


def _reached(limit: int, size: int) -> int | None:
    """The number of messages that reach a limit in bytes; None if there is no limit."""
    return None if limit < 0 else -(-limit // size)


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


Case = Amqp | Core | Gate | Policy | Memory | Shared | Refusing | Paging | Open


def last_messages(most: int) -> int | None:
    """GENERAL-18: the most messages at which an address is not full of messages; None for no limit."""
    return last_level(lambda level: not full_of_messages(FurtherCauses(False, most, level)))


def of_messages(
    messages: int, traffic: Traffic, because: str, rules: tuple[str, ...], proved: tuple[str, ...]
) -> Bound:
    """The bound for a number of messages of the traffic's size."""
    return Bound(messages * traffic.size, messages, because, rules, proved=proved)


def _of_each_producer(traffic: Traffic) -> str:
    return "its only producer" if traffic.producers == 1 else f"each of {amount(traffic.producers, 'producers')}"


def no_bound(why: str, rules: tuple[str, ...], traffic: Traffic) -> Bound:
    """No bound, with steps that make the destination grow."""
    size = traffic.size
    steps = (
        f"a producer sends {size:,} bytes: stored, and the producer may go on",
        f"it sends {size:,} bytes again: {2 * size:,} bytes are stored, and it may go on",
        f"after k messages {size:,} x k bytes are stored, and nothing has stopped it",
    )
    return Bound(None, None, why, rules, steps)


@lru_cache(maxsize=4096)
def worst(case: Case, traffic: Traffic) -> Bound:
    """The bound with its witness: the steps that reach the bound, run on the mechanism by the rules of the version."""
    if not traffic.with_steps:
        return case.bound(traffic)
    bound = case.bound(traffic)
    if isinstance(case, Core):
        traffic = case.as_charged(traffic)
    course = case.course(traffic)
    if course is None:
        return bound
    if bound.bytes is None:
        run = goes_on(course, traffic)
        steps = (*run.steps, f"after k messages {traffic.size:,} x k bytes are stored, and nothing has stopped it")
        proved = (
            ("EB-T10",) if isinstance(case, Open | Refusing) or not getattr(case, "controlled", True) else ("EB-T11",)
        )
        return replace(bound, witness=steps, reached=run.bytes, proved=proved)
    found = witness(course, traffic)
    return bound if found is None else replace(bound, witness=found.steps, reached=found.bytes)


def unknown(what: str, rules: tuple[str, ...]) -> Bound:
    """An unknown bound, because a placeholder or another gap hides a figure."""
    return Bound(None, None, f"not known, because {what}", rules)


def solved(case: Case, traffic: Traffic, target: int) -> int | None:
    """The highest limit, in bytes, that keeps the worst case within a target in bytes; None if no limit does."""

    def keeps(limit: int) -> bool:
        worst = case.with_limit(limit).bound(traffic).bytes
        return worst is not None and worst <= target

    if not keeps(1):
        return None
    low, high = 1, target + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low
