"""Senders, which show their credit and the outcomes of messages, and receivers, which take one message at a time.

There is no queue of messages inside the client: a sender without credit does not take a message from the caller, and a
receiver asks for one message when told to. None of these objects holds an object of proton's: those are in `Native`, on
the engine's thread, by the name of the link.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from proton import Delivery, Link, Message, Terminus

from tidegate.adapters.amqp10.content import Content
from tidegate.adapters.amqp10.engine import Engine
from tidegate.adapters.amqp10.native import Native
from tidegate.adapters.amqp10.outcomes import TRANSACTIONAL, Outcome, outcome_of
from tidegate.adapters.errors import NoAnswer, Refused


@dataclass(frozen=True)
class CreditChange:
    """One flow of the broker that changed a sender's credit, in messages."""

    credit: int
    """Credit left after the change."""
    added: int
    """The credits that the broker added; negative when it withdrew some."""
    drained: bool
    """Whether the broker asked for the remaining credit back."""
    at_ns: int
    """The time of the change on the monotonic clock, in ns."""


class LinkEnd:
    """The common part of sender and receiver: the broker's answer to the attach, and its reason for a detach.

    Methods with a leading `on_` run on the engine's thread.
    """

    def __init__(self, engine: Engine, name: str, watchdog_ms: int) -> None:
        self.name = name
        self.watchdog_ms = watchdog_ms
        self.settle_mode = Link.SND_UNSETTLED
        self.refused: str | None = None
        """The broker's reason when it refused or detached the link."""
        self._engine = engine
        self._attached = False

    def attach(self, native: Native, link: Any) -> None:
        """Open proton's link of this name; called on the engine's thread."""
        native.links[self.name] = link
        link.snd_settle_mode = self.settle_mode
        link.open()

    def wait_attached(self) -> None:
        """Return once the broker has answered. Raises `Refused`, `NoAnswer`, `ConnectionLost`."""
        what = f"answer to the attach of {self.name}"
        self._engine.wait(lambda: self._attached or self.refused is not None, within_ms=self.watchdog_ms, what=what)
        if self.refused is not None:
            raise Refused(f"link {self.name} was refused: {self.refused}")

    def close(self) -> None:
        """Detach the link and wait for the answer. Raises `NoAnswer`, `ConnectionLost`."""
        self._engine.order(lambda native: native.links[self.name].close(), within_ms=self.watchdog_ms)
        what = f"answer to the detach of {self.name}"
        self._engine.wait(lambda: self.refused is not None, within_ms=self.watchdog_ms, what=what)

    def on_attached(self, link: Link) -> None:
        """Note the broker's answer to the attach: a terminus, or, before a refusal, an empty one."""
        terminus = link.remote_target if link.is_sender else link.remote_source
        self._attached = terminus.type != Terminus.UNSPECIFIED

    def on_detached(self, link: Link) -> None:
        """Note that the broker detached the link, or answered a detach."""
        condition = link.remote_condition
        self.refused = "without a reason" if condition is None else f"{condition.name}: {condition.description}"

    def on_flow(self, link: Any) -> None:
        """Note that the credit of the link changed, or may have."""
        raise NotImplementedError

    def on_delivery(self, native: Native, delivery: Delivery) -> None:
        """Note a message that arrived, or the outcome of one."""
        raise NotImplementedError


class Sent:
    """One sent message: its outcome, once there is one."""

    def __init__(self, engine: Engine, message_id: str) -> None:
        self.message_id = message_id
        self.outcome: Outcome | None = None
        self._engine = engine

    def wait(self, within_ms: int) -> Outcome | None:
        """The outcome, or None when none came within `within_ms`. Raises `ConnectionLost`."""
        return self._wait(lambda: self.outcome is not None, within_ms)

    def wait_unless_detached(self, link: LinkEnd, within_ms: int) -> Outcome | None:
        """The outcome; None when none came in time, or once the broker has detached the message's link."""
        return self._wait(lambda: self.outcome is not None or link.refused is not None, within_ms)

    def _wait(self, until: Callable[[], bool], within_ms: int) -> Outcome | None:
        try:
            self._engine.wait(until, within_ms=within_ms, what="outcome")
        except NoAnswer:
            return None  # the time limit is the caller's own: no outcome yet is an answer
        return self.outcome


class Sender(LinkEnd):
    """A sender link. Credit counts messages."""

    def __init__(
        self,
        engine: Engine,
        name: str,
        watchdog_ms: int,
        transaction: Callable[[], bytes] | None = None,
        *,
        settles: bool = False,
    ) -> None:
        """`transaction` gives the id of the transaction of the next message; None where messages are in none.

        A sender that `settles` sends each message settled, and the broker tells no outcome.
        """
        super().__init__(engine, name, watchdog_ms)
        self.settles = settles
        if settles:
            self.settle_mode = Link.SND_SETTLED
        self._transaction = transaction
        self.granted = 0
        """All credit that the broker ever issued on this link, in messages; it never falls."""
        self.credit = 0
        """Credit left, in messages."""
        self.flows: list[CreditChange] = []
        """Each change of credit by the broker, oldest first."""
        self._waiting: dict[str, Sent] = {}

    def send(self, message_id: str, body: bytes, *, durable: bool = False) -> Sent | None:
        """Send one message with this body; None, and nothing is sent, without credit.

        Raises `NoAnswer`, `ConnectionLost`.
        """
        return self.send_content(Content(message_id, body, durable))

    def send_content(self, content: Content) -> Sent | None:
        """As `send`, for a message with more than an id and a body. Raises `Refused` without its transaction, too."""
        transaction = None if self._transaction is None else self._transaction()
        return self._put(content.message_id, content.as_message, transaction)

    def _put(self, message_id: str, make: Callable[[], Message], transaction: bytes | None = None) -> Sent | None:
        """Send the message that `make` returns on the engine's thread; None, and nothing is sent, without credit."""

        def put(native: Native) -> Sent | None:
            link = native.links[self.name]
            if link.credit <= 0:
                return None
            delivery = link.send(make())
            if transaction is not None:
                delivery.local.data = [transaction]
                delivery.update(TRANSACTIONAL)
            sent = Sent(self._engine, message_id)
            if self.settles:
                delivery.settle()
            else:
                self._waiting[delivery.tag] = sent
            # not the link's remaining credit: credit that came meanwhile is counted by its own event
            self.credit -= 1
            return sent

        return self._engine.order(put, within_ms=self.watchdog_ms)

    def wait_granted(self, at_least: int, within_ms: int) -> bool:
        """Whether `at_least` credits in total are issued within `within_ms`. Raises `ConnectionLost`."""
        try:
            self._engine.wait(lambda: self.granted >= at_least, within_ms=within_ms, what="credit")
        except NoAnswer:
            return False  # the time limit is the caller's own, as in `Sent.wait`
        return True

    def on_flow(self, link: Any) -> None:
        """Note a change of credit. Proton raises this event for the client's own sends too; these added no credit."""
        added = link.credit - self.credit
        drain = link.drain_mode
        if added == 0 and not drain:
            return
        self.granted += max(0, added)
        if drain:
            link.drained()  # the answer that AMQP requires: remaining credit is given back
        self.credit = link.credit
        self.flows.append(CreditChange(link.credit, added, drain, time.monotonic_ns()))

    def on_delivery(self, native: Native, delivery: Delivery) -> None:
        """Note the outcome of a message."""
        outcome = outcome_of(delivery) if delivery.updated else None
        if outcome is not None:
            self._waiting.pop(delivery.tag).outcome = outcome
            delivery.settle()


@dataclass(frozen=True)
class Taken:
    """One message that a receiver took."""

    content: Content
    number: int
    """The number of the delivery in `Native`."""

    @property
    def message_id(self) -> str:
        """The id that the sender gave the message."""
        return self.content.message_id


class Receiver(LinkEnd):
    """A receiver link that asks for exactly one message per take."""

    def __init__(self, engine: Engine, name: str, watchdog_ms: int) -> None:
        super().__init__(engine, name, watchdog_ms)
        self.address = ""
        """The address that the link reads from; for a dynamic source the name that the broker gave it."""
        self._inbox: deque[Taken] = deque()
        self._credit = 0

    def take(self, within_ms: int) -> Taken | None:
        """The next message, not yet acknowledged; None when the broker has none within `within_ms`.

        The credit is then taken back by an AMQP drain, so no message comes later unasked. The broker answers a drain at
        once, with a message if one was ready; a message stored a moment ago may not be ready. Raises `NoAnswer` when
        the drain is not answered, `ConnectionLost`.
        """
        self._engine.order(self._ask, within_ms=self.watchdog_ms)
        try:
            self._engine.wait(lambda: bool(self._inbox), within_ms=within_ms, what="message")
        except NoAnswer:
            # no message in the caller's time: ask for a definite answer
            self._engine.order(lambda native: native.links[self.name].drain(0), within_ms=self.watchdog_ms)
            what = f"answer to the drain of {self.name}"
            self._engine.wait(lambda: self._credit == 0, within_ms=self.watchdog_ms, what=what)
        return self._inbox.popleft() if self._inbox else None

    def copies(self, expected: int, within_ms: int) -> int:
        """Take all messages that a browsing link gets; the result is their number. Raises as `take`.

        Each of the `expected` messages may take `within_ms` to arrive.
        """
        seen = 0
        while self.take(within_ms if seen < expected else 0) is not None:
            seen += 1
        return seen

    def accept(self, taken: Taken) -> None:
        """Acknowledge, once: the broker forgets the message. Raises `Failed`, `NoAnswer`, `ConnectionLost`."""
        self._engine.order(lambda native: native.accept(taken.number), within_ms=self.watchdog_ms)

    def accept_all(self, taken: Sequence[Taken]) -> None:
        """Acknowledge all these messages in one go. Raises as `accept`."""

        def accept(native: Native) -> None:
            for each in taken:
                native.accept(each.number)

        self._engine.order(accept, within_ms=self.watchdog_ms)

    def reject(self, taken: Taken) -> None:
        """Reject, once: the broker gives the message to nobody here again. Raises as `accept`."""
        self._engine.order(lambda native: native.reject(taken.number), within_ms=self.watchdog_ms)

    def release(self, taken: Taken) -> None:
        """Give the message back, once: the broker hands it out again. Raises as `accept`."""
        self._engine.order(lambda native: native.release(taken.number), within_ms=self.watchdog_ms)

    def wait_for_one(self) -> None:
        """Give the broker credit for a message, which it may use at any time. Raises `NoAnswer`, `ConnectionLost`."""
        self._engine.order(self._ask, within_ms=self.watchdog_ms)

    def _ask(self, native: Native) -> None:
        if not self._inbox:
            link = native.links[self.name]
            link.flow(1)
            self._credit = link.credit

    def on_attached(self, link: Link) -> None:
        """Note the broker's answer to the attach, with the name of the source."""
        super().on_attached(link)
        self.address = link.remote_source.address or ""

    def on_flow(self, link: Any) -> None:
        """Note that the broker gave credit back, or that the client's own credit changed."""
        self._credit = link.credit

    def on_delivery(self, native: Native, delivery: Delivery) -> None:
        """Note a message, or a part of one."""
        if not delivery.readable or delivery.partial:
            return
        message = Message()
        link = native.links[self.name]
        message.recv(link)
        self._credit = link.credit
        self._inbox.append(Taken(Content.of(message), native.keep(delivery)))
