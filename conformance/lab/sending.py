"""Sends messages of a scenario, and records their outcomes."""

from collections.abc import Callable, Sequence
from itertools import cycle

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, Standing, Unsupported
from tidegate.adapters.groups import SendsAnonymously, SendsBursts, SendsDelayed, SendsExpiring, Transacts
from tidegate.conformance.lab.looking import TAKEN
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.shown import Shown
from tidegate.conformance.lab.waiting import MS_PER_SECOND
from tidegate.model.traces import general_order


class Sending(Shown):
    """Sends messages one by one, in bursts and in transactions."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.outcome: Outcome | None = None
        """The outcome of the last send."""

    def send(
        self,
        name: str,
        size: int,
        to: str | None = None,
        *,
        scaled: bool = True,
        lives_ms: int | None = None,
        delay_ms: int | None = None,
    ) -> Outcome:
        """Send one message of `size` bytes; its outcome. Only an anonymous producer names a destination.

        If a producer gets no answers only because of the weave, a message that arrived counts as accepted. A size that
        is not `scaled` is in bytes of the implementation, as its defaults are. A message that expires after `lives_ms`,
        or is delivered after `delay_ms`, goes to the producer's own destination; Unsupported for an anonymous producer.
        """
        to = to or self._anonymous.get(name)
        lives_ms, delay_ms = (None if ms is None else self.span(ms) for ms in (lives_ms, delay_ms))
        if to is not None and (lives_ms, delay_ms) != (None, None):
            raise Unsupported(f"an anonymous producer sends no message that {'expires' if lives_ms else 'waits'}")
        message_id, size_bytes = self.messages.new(), self.real(size) if scaled else size
        producer = self._full(name)
        self.change_before_first_message(*(self.producers[name] if to is None else (self._full(to),)))
        for target in self._taken_from.keys() & self.producers[name]:
            self._level(target, cause="take")
        began, now_ms, options = self._clock.now_s, self._clock.time_ms, self._options.get(name, DEFAULT_OPTIONS)
        has_arrived = self._arrival(name, size) if name in self._untold and scaled else None
        if lives_ms is not None:
            self.messages.expires(message_id, now_ms + lives_ms)
            expiring = self._offered(SendsExpiring, "messages that expire")
            outcome = self._call(expiring.send_expiring, producer, message_id, size_bytes, lives_ms)
        elif delay_ms is not None:
            delayed = self._offered(SendsDelayed, "messages that are delivered later")
            outcome = self._call(delayed.send_delayed, producer, message_id, size_bytes, delay_ms)
        elif to is None:
            outcome = self._call(self.adapter.send, producer, message_id, size_bytes)
        else:
            adapter = self._offered(SendsAnonymously, "anonymous producers")
            self._named.setdefault(name, set()).add(self._full(to))
            outcome = self._call(adapter.send_to, producer, self._full(to), message_id, size_bytes)
            if outcome is not Outcome.BLOCKED:
                # a message that was not sent leaves the producer stopped where it was stopped before
                self._also_sends_to(name, to)
        self.outcome = outcome
        if outcome is not Outcome.BLOCKED or self._last_of.get(name) not in self.recorder.unsettled(producer):
            self._last_of[name] = message_id
        self._timers.passes(options.rate, now_ms)
        if outcome is Outcome.UNSETTLED:
            self._stopwatch.start(options, began)
            self._timers.send_waits(producer, message_id, options, now_ms)
        targets = self.producers[name] if to is None else (self._full(to),)
        self.recorder.sent(producer, targets, message_id, size_bytes, outcome, self._turn(delay_ms))
        if outcome in TAKEN:
            self.messages.accept(message_id, targets)
        if outcome is Outcome.SENT:
            self.messages.send_unanswered(producer, message_id)
        # a blocked message changed no level, so the producer is no cause of the level that is seen next
        sender = None if outcome is Outcome.BLOCKED else producer
        for target in targets:
            self._level(target, cause="send", producer=sender)
        self._look_at_all()
        if outcome is Outcome.UNSETTLED and name in self._committing:
            outcome = self.outcome = self._commit_if_sent(name)
        elif outcome is Outcome.REJECTED and name in self._committing:
            # the commit of a transaction with a rejected message would not be accepted, whatever came after it
            self.rollback(name)
        if outcome is Outcome.SENT and has_arrived is not None:
            if has_arrived():
                outcome = self.outcome = Outcome.ACCEPTED
            elif self.answer_to_last(name) is Outcome.REJECTED:
                # the client was told apart from its call, as by an exception listener
                outcome = self.outcome = Outcome.REJECTED
        if outcome is Outcome.UNSETTLED and name in self._paced:
            outcome = self.outcome = self._answer_after_its_pace(name)
        return outcome

    def burst(self, names: Sequence[str], count: int, size: int) -> list[Outcome]:
        """Send `count` messages by these producers in turn, before any is answered; the outcome of each.

        Producers that are transacted only because of the weave then commit all of their messages together.
        There is no look during the burst, so credit that came in it counts as issued before the next seen level.
        """
        ids = [self.messages.new() for _ in range(count)]
        self.change_before_first_message(*(target for name in names for target in self.producers[name]))
        adapter, producers = self._offered(SendsBursts, "bursts"), [self._full(name) for name in names]
        told = list(self._call(adapter.send_burst, producers, ids, self.real(size)))
        targets = {target: None for name in names for target in self.producers[name]}
        for number, (message_id, outcome) in enumerate(zip(ids, told, strict=True)):
            name = names[number % len(names)]
            self.recorder.sent(self._full(name), self.producers[name], message_id, self.real(size), outcome)
            if outcome in TAKEN:
                self.messages.accept(message_id, self.producers[name])
            if outcome is Outcome.SENT:
                self.messages.send_unanswered(self._full(name), message_id)
        self._look_at_all()
        for target in targets:
            self._level(target, cause="send")
        self._look_at_all()
        ends = {name: self._commit_if_sent(name) for name in dict.fromkeys(names) if name in self._committing}
        return [
            ends.get(name, outcome) if outcome is Outcome.UNSETTLED else outcome
            for name, outcome in zip(cycle(names), told)
        ]

    def commit(self, name: str) -> Outcome:
        """Commit a producer's transaction; the outcome, which is recorded for each of its messages.

        Unsupported while a send of the producer waits: its session has no other call then.
        """
        outcome = self._end_transaction(name, self._commits())
        if outcome is Outcome.BLOCKED:
            raise Unsupported(f"a send of {name!r} still waits: no other call can be made in its session")
        return outcome

    def rollback(self, name: str) -> None:
        """Roll back a producer's transaction."""
        self._end_transaction(name, self._offered(Transacts, "transactions").rollback)

    def _turn(self, delay_ms: int | None) -> str | None:
        """The cause of a send whose message is not handed out in the order of the sends; None for any other send."""
        if delay_ms is not None:
            return general_order.DELAY
        return general_order.PRIORITY if self.weave.by_priority else None

    def _arrival(self, name: str, size: int) -> Callable[[], bool]:
        """A function that tells whether the next message of a producer arrived; if there is room for it, it waits."""
        before = {target: self._depth(target).messages for target in self.producers[name]}
        has_room = self.has_room(name, size)

        def arrived() -> bool:
            return all(self._depth(target).messages > held for target, held in before.items())

        return lambda: self.comes_to(arrived, bool) if has_room else arrived()

    def _answer_after_its_pace(self, name: str) -> Outcome:
        """The outcome, a second later, of a message that waits for its producer's rate; UNSETTLED if it still waits."""
        self.pass_time(MS_PER_SECOND)
        told = self.answer_to_last(name)
        return Outcome.UNSETTLED if told is None else told

    def _look_at(self, name: str) -> Standing:
        """Look at a producer, and commit its message whose send waited, if the send has returned."""
        standing = super()._look_at(name)
        if name not in self._to_commit:
            return standing
        was_refused = not self.recorder.unsettled(self._full(name))
        end = self._offered(Transacts, "transactions").rollback if was_refused else self._commits()
        if self._transaction_ends(name, end) is Outcome.BLOCKED:
            return standing
        self._to_commit.discard(name)
        return super()._look_at(name)

    def _record_gone(self, name: str, targets: tuple[str, ...], cause: str) -> None:
        self._to_commit.discard(name)
        super()._record_gone(name, targets, cause)

    def _commits(self) -> Callable[[str], Outcome]:
        return self._offered(Transacts, "transactions").commit

    def _commit_if_sent(self, name: str) -> Outcome:
        """Commit a message of a producer that commits each; unsettled, and committed later, while its send waits."""
        outcome = self._end_transaction(name, self._commits())
        if outcome is not Outcome.BLOCKED:
            return outcome
        self._to_commit.add(name)
        return Outcome.UNSETTLED

    def _end_transaction(self, name: str, end: Callable[[str], Outcome | None]) -> Outcome:
        outcome = self._transaction_ends(name, end)
        self._look_at_all()
        return outcome

    def _transaction_ends(self, name: str, end: Callable[[str], Outcome | None]) -> Outcome:
        outcome = self._call(end, self._full(name)) or Outcome.REJECTED
        if outcome not in {Outcome.UNSETTLED, Outcome.BLOCKED}:
            for message_id in self.recorder.unsettled(self._full(name)):
                self._settled(name, message_id, outcome)
        return outcome
