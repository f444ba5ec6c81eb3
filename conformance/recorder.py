"""Turns the actions and observations of a scenario into events of its trace."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    NO_LIMIT,
    AdapterError,
    Depth,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
)
from tidegate.adapters.groups import Traffic, Usage
from tidegate.conformance.clock import Clock
from tidegate.model.mechanisms import andes, qpid942
from tidegate.model.mechanisms.qpid import NOT_SET, effective_limits
from tidegate.model.mechanisms.qpid import Limits as QueueLimits
from tidegate.model.mechanisms.rate import is_limited
from tidegate.model.traces import (
    andes_trace,
    artemis_core_trace,
    artemis_trace,
    classic_trace,
    general_causes,
    general_empty,
    general_order,
    general_room,
    general_shown,
    general_traffic,
    qpid942_trace,
    qpid_disk_trace,
    qpid_trace,
)
from tidegate.record.events import MOST, Event, Kind

STOPPING_NOBODY = ("FAIL", "DROP")
"""The policies under which a full destination refuses or drops messages."""
Sink = Callable[[Event], None]


class Recorder:
    """The events of one scenario, in the order in which they were seen; every sink gets each event."""

    def __init__(self, source: str, *sinks: Sink):
        self.source = source
        self.clock: Clock | None = None
        """The clock that stamps events; None for the machine's clock."""
        self.has_gap = False
        """Whether a figure was too large for an event, so that later events cannot be judged."""
        self._sinks = list(sinks)
        self._seq = 0
        self._last_ms = 0
        """The time of the last event."""
        self._issued: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()
        self._drained: Counter[str] = Counter()
        self._stopped: dict[str, bool] = {}
        self.orders: Counter[Kind] = Counter()
        """How often a producer was seen to be stopped, and to be released."""
        self._lines: dict[str, str] = {}
        self._limited: dict[str, set[str]] = {}
        """The causes of the `limits` events that say which limits a destination has now."""
        self._unsettled: dict[str, dict[str, tuple[tuple[str, ...], int]]] = {}
        self._senders: dict[str, str] = {}
        """The producer of each message, by the id of the message."""

    def add_sink(self, sink: Sink) -> None:
        """Give every later event to this sink too."""
        self._sinks.append(sink)

    def limits(self, destination: str, own: Limits, defaults: Limits, capabilities: frozenset[str]) -> None:
        """Write the limits in force, by the documents, for a destination with these limits and defaults.

        A limit that the destination had before, and has no more, is written as none.
        """
        before = self._limited.pop(destination, set())
        self._write_limits(destination, own, defaults, capabilities)
        for cause in sorted(before - self._limited.get(destination, set())):
            self._write(Kind.LIMITS, destination, cause=cause, limit=NO_LIMIT)

    def _write_limits(self, destination: str, own: Limits, defaults: Limits, capabilities: frozenset[str]) -> None:
        policy = own.policy or defaults.policy
        if "queue-gate" in capabilities:
            in_force = effective_limits(_queue_limits(own), _queue_limits(defaults))
            if policy in STOPPING_NOBODY:
                # a queue that refuses or drops messages is no gate
                self._limit(destination, qpid_trace.CAPACITY, 0, 0)
            else:
                self._limit(destination, qpid_trace.CAPACITY, in_force.capacity, in_force.resume)
        if "policies" in capabilities:
            levels = qpid942.policy_in_force(_policy(own), _policy(defaults))
            self._limit(destination, qpid942_trace.DEPTH, levels.most_bytes)
            self._limit(destination, qpid942_trace.COUNT, levels.most_messages)
        if (own.limit_bytes is not None or policy in STOPPING_NOBODY) and "address-limit" in capabilities:
            # an address without a limit in bytes has a policy too
            self._limit(destination, artemis_trace.MAX_SIZE, _or_none(own.limit_bytes), policy=policy)
        if own.limit_bytes is not None and "core-window" in capabilities:
            self._limit(destination, artemis_core_trace.MAX_SIZE, own.limit_bytes, policy=own.policy)
        if own.limit_messages is not None:
            self._limit(destination, general_causes.MESSAGES, own.limit_messages)
        if policy in STOPPING_NOBODY:
            self._limit(
                destination, general_causes.OVERFLOW, _or_none(own.limit_bytes, own.limit_messages), policy=policy
            )
        if own.page_full_policy is not None:
            most = _or_none(own.page_limit_bytes, own.page_limit_messages)
            self._limit(destination, general_causes.OVERFLOW, most, policy=own.page_full_policy)
        if "reject-threshold" in capabilities:
            threshold = -1 if own.reject_bytes is None else own.reject_bytes
            self._limit(destination, artemis_trace.REJECT_THRESHOLD, threshold)
        if own.limit_bytes is not None and "memory-limit" in capabilities:
            self._limit(destination, classic_trace.MEMORY_LIMIT, own.limit_bytes, policy=own.policy)
        if own.credit is not None and own.credit_low is not None:
            # no limit of the destination: an acceptor's window stays as it is where the limits change
            self._write(
                Kind.LIMITS, destination, cause=artemis_trace.CREDIT_WINDOW, limit=own.credit, resume=own.credit_low
            )

    def shared_limits(self, usage: Usage, capabilities: frozenset[str]) -> None:
        """Write limits that all destinations share."""
        if "memory-ratio" in capabilities:
            in_force = andes.configured(*(
                andes.NOT_SET if figure is None else figure
                for figure in (usage.block_percent, usage.resume_percent, usage.connection_messages)
            ))  # fmt: skip
            self._write(
                Kind.LIMITS, None, cause=andes_trace.MEMORY,
                bytes=usage.memory_bytes, limit=in_force.threshold, resume=in_force.recovery,
            )  # fmt: skip
            self._write(Kind.LIMITS, None, cause=andes_trace.COUNT, limit=in_force.messages)
        elif usage.quota_bytes is not None:
            self._write(
                Kind.LIMITS, None, cause=qpid_disk_trace.QUOTA,
                limit=usage.quota_bytes, resume=usage.quota_resume_bytes,
            )  # fmt: skip
        else:
            self._write(Kind.LIMITS, None, cause=classic_trace.SHARED, limit=usage.fail_after_ms)

    def memory(self, used_bytes: int) -> None:
        """Write the used bytes of the broker's memory."""
        self._write(Kind.LEVEL, None, bytes=used_bytes, cause=andes_trace.MEMORY)

    def opened(
        self,
        producer: str,
        destinations: tuple[str, ...],
        connection: str,
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Write that a producer was attached with these options."""
        self._lines[producer] = connection
        for destination in destinations:
            self._write(
                Kind.OPEN, destination, producer=producer, limit=options.wait_ms, cause=_pace_of(options),
                outcome=classic_trace.TRANSACTED if options.transacted else None,
            )  # fmt: skip

    def sent(
        self,
        producer: str,
        destinations: tuple[str, ...],
        message_id: str,
        size_bytes: int,
        outcome: Outcome,
        cause: str | None = None,
    ) -> None:
        """Write the outcome of a producer's message.

        `cause` is a delay of the message, or the fault that kept the producer from an answer.
        """
        self._spent[producer] += outcome is not Outcome.BLOCKED
        self._senders[message_id] = producer
        if outcome is Outcome.UNSETTLED:
            self._unsettled.setdefault(producer, {})[message_id] = destinations, size_bytes
        for destination in destinations:
            self._write(
                Kind.SEND, destination, producer=producer,
                message_id=message_id, bytes=size_bytes, messages=1, outcome=str(outcome), cause=cause,
            )  # fmt: skip

    def unsettled(self, producer: str) -> tuple[str, ...]:
        """The ids of a producer's messages that are still unsettled, in order."""
        return tuple(self._unsettled.get(producer, {}))

    def settled(self, producer: str, message_id: str, outcome: Outcome, reason: str) -> tuple[str, ...]:
        """Write the outcome of a message that was unsettled; the destinations to which it went."""
        destinations, size_bytes = self._unsettled[producer].pop(message_id)
        for destination in destinations:
            self._write(
                Kind.SETTLED, destination, producer=producer,
                message_id=message_id, bytes=size_bytes, outcome=str(outcome), cause=reason or None,
            )  # fmt: skip
        return destinations

    def gone(self, producer: str, destinations: tuple[str, ...], cause: str) -> None:
        """Write that a producer was closed or killed, by `cause`."""
        self._stopped.pop(producer, None)
        for destination in destinations:
            self._write(Kind.CLOSE, destination, producer=producer, cause=cause)

    def purged(self, destination: str, cause: str | None = None, messages: int | None = None) -> None:
        """Write that all waiting messages were removed: by `cause`, if not by management, and how many, if known."""
        self._write(Kind.PURGE, destination, cause=cause, messages=messages)

    def traffic(self, destination: str, seen: Traffic, held: int, *, is_consumed: bool) -> None:
        """Write management's counters at a destination, and the `held` messages that it reports there.

        `is_consumed`: a consumer is attached.
        """
        counted = (
            (general_traffic.CAME, seen.came, seen.came_bytes),
            (general_traffic.LEFT, seen.left, seen.left_bytes),
            (general_traffic.IN_HAND, seen.in_hand, seen.in_hand_bytes),
            (general_traffic.EXPIRED, seen.expired, seen.expired_bytes),
        )
        for cause, messages, _ in counted:
            of_nobody = cause == general_traffic.IN_HAND and not is_consumed
            if messages is not None:
                self._write(
                    Kind.TRAFFIC, destination, cause=cause, messages=messages,
                    outcome=general_traffic.NOBODY if of_nobody else None,
                )  # fmt: skip
        for outcome, messages, size_bytes in (*counted, (general_traffic.HELD, held, seen.held_bytes)):
            if messages is not None and size_bytes is not None:
                self._write(
                    Kind.TRAFFIC, destination, cause=general_traffic.BYTES,
                    messages=messages, bytes=size_bytes, outcome=outcome,
                )  # fmt: skip

    def shown_standing(self, producer: str, *, stopped: bool) -> None:
        """How management shows a producer whose standing was just looked at."""
        outcome = general_shown.STOPPED if stopped else general_shown.FREE
        self._write(Kind.SHOWN, None, producer=producer, cause=general_shown.STANDS, outcome=outcome)

    def shown_usage(self, destination: str, percent: int, used_bytes: int, limit_bytes: int) -> None:
        """To how many per cent management shows a limit to be used of which so many bytes are charged."""
        self._write(
            Kind.SHOWN, destination, cause=general_shown.USED,
            messages=percent, bytes=used_bytes, limit=limit_bytes,
        )  # fmt: skip

    def given_back(self, destination: str, *, broken: bool = False) -> None:
        """Write that messages which a consumer had not settled went back; `broken`: because its connection broke."""
        self._write(Kind.RETURN, destination, cause=general_order.BROKEN if broken else None)

    def started(self, destination: str) -> None:
        """Write that the broker restarted, with what it kept of the destination."""
        self._write(Kind.START, destination)

    def taken(self, destination: str, message_id: str, consumer: str) -> None:
        """Write that a consumer was handed a message."""
        self._write(
            Kind.TAKE, destination, producer=self._senders.get(message_id), consumer=consumer, message_id=message_id
        )

    def acknowledged(self, destination: str, message_id: str) -> None:
        """Write that a consumer settled a message."""
        self._write(Kind.ACKNOWLEDGE, destination, message_id=message_id)

    def level(self, destination: str, depth: Depth, *, cause: str, producer: str | None = None) -> None:
        """Write the level of a destination after the action `cause` (of `producer`, if one acted)."""
        self._write(
            Kind.LEVEL, destination, producer=producer,
            bytes=depth.bytes, messages=depth.messages, cause=cause,
        )  # fmt: skip

    def credit(self, producer: str, destination: str | None, standing: Standing) -> None:
        """Write the credit that a producer was issued, and lost to a drain or got back, since the last call, if any.

        A producer that names a destination with each message has credit for no destination. If less was issued in total
        than before, the issue is below zero.
        """
        if standing.credit_issued is None or standing.credit_left is None:
            return
        drained = standing.credit_issued - self._spent[producer] - standing.credit_left
        if self._unsettled.get(producer):
            # a message that its client holds back has not used up its credit yet
            drained = max(drained, self._drained[producer])
        for kind, known, figure in (
            (Kind.DRAIN, self._drained, drained),
            (Kind.CREDIT, self._issued, standing.credit_issued),
        ):
            more, known[producer] = figure - known[producer], figure
            # a drain is issued credit that is missing, below zero if there is more than was issued; a client that sends
            # without credit has none left
            if more > 0 or (more < 0 and (kind is Kind.CREDIT or standing.credit_left > 0)):
                self._write(kind, destination, producer=producer, credit=more)

    def order(self, producer: str, destinations: tuple[str, ...], standing: Standing) -> None:
        """Write an order to stop, or its end, if the producer's standing changed since the last call."""
        if standing.stopped == self._stopped.get(producer, False):
            return
        self._stopped[producer] = standing.stopped
        kind = Kind.STOP if standing.stopped else Kind.RELEASE
        self.orders[kind] += 1
        for destination in destinations:
            self._write(kind, destination, producer=producer)

    @property
    def now_ms(self) -> int:
        """The time now, in ms."""
        return time.time_ns() // 1_000_000 if self.clock is None else self.clock.time_ms

    def standing(self, producer: str, destinations: tuple[str, ...], standing: Standing, looked_ms: int) -> None:
        """Write the standing of a producer at rest: towards each destination, then as a whole.

        The events have the time at which the look began, `looked_ms`: a look may take long, and a send that still waits
        when the look ends has waited when it began.
        """
        outcome = qpid_trace.STOPPED if standing.stopped else "free"
        for kind, destination in [
            *((Kind.STANDING, target) for target in destinations),
            (Kind.CHANNEL, None),
        ]:
            self._write(
                kind, destination, producer=producer, at_ms=max(looked_ms, self._last_ms),
                credit=standing.credit_left, outcome=outcome,
            )  # fmt: skip

    def _limit(
        self, destination: str, cause: str, limit: int, resume: int | None = None, policy: str | None = None
    ) -> None:
        self._limited.setdefault(destination, set()).add(cause)
        self._write(Kind.LIMITS, destination, cause=cause, limit=limit, resume=resume, outcome=policy)

    def _write(
        self,
        kind: Kind,
        destination: str | None,
        *,
        producer: str | None = None,
        consumer: str | None = None,
        at_ms: int | None = None,
        **fields: Any,
    ) -> None:
        """Write one event; each producer and consumer has its own channel, with its name."""
        for name, figure in fields.items():
            if isinstance(figure, int) and abs(figure) > MOST:
                self.has_gap = True
                raise AdapterError(f"{name} of a {kind} event exceeds 64 bits")
        self._seq += 1
        self._last_ms = self.now_ms if at_ms is None else at_ms
        event = Event(
            source=self.source,
            seq=self._seq,
            time=self._last_ms,
            kind=kind,
            destination=destination,
            connection=None if producer is None or consumer is not None else self._lines.get(producer, producer),
            channel=producer if consumer is None else consumer,
            producer=producer,
            **fields,
        )
        for sink in self._sinks:
            sink(event)


def _pace_of(options: ProducerOptions) -> str | None:
    """What beside its destination's limits decides when a producer sends: its rate, or that it obeys no order."""
    if not options.obeys:
        return general_room.IGNORES_ORDERS
    return general_empty.RATE if options.rate is not None and is_limited(options.rate) else None


def _or_none(*levels: int | None) -> int:
    """The first level that is set; NO_LIMIT for none."""
    return next((level for level in levels if level is not None), NO_LIMIT)


def _queue_limits(limits: Limits) -> QueueLimits:
    return QueueLimits(
        capacity=NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        resume=NOT_SET if limits.resume_bytes is None else limits.resume_bytes,
    )


def _policy(limits: Limits) -> qpid942.Policy:
    return qpid942.Policy(
        most_bytes=qpid942.NOT_SET if limits.limit_bytes is None else limits.limit_bytes,
        most_messages=qpid942.NOT_SET if limits.limit_messages is None else limits.limit_messages,
    )
