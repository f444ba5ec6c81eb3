"""The actions of producers in a random sequence: they come, send, and go."""

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, ProducerOptions
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import IN_MESSAGES
from tidegate.conformance.stateful.possible import Possible
from tidegate.conformance.stateful.tally import Deed

PRODUCERS = ("first", "second", "third")
"""The names of the first producers, as many as can be open at once; a later one gets a name of its own."""
FILL_SIZE = 400


class Sending(Possible):
    """Attaches and closes producers, and sends messages one by one."""

    def _attach(self, action: Action) -> None:
        taken, self._ever_opened = self._ever_opened, self._ever_opened + 1
        producer = PRODUCERS[taken] if taken < len(PRODUCERS) else f"number {self._ever_opened}"
        self._open(producer, DEFAULT_OPTIONS, self._connection(action.place))
        self.here.producers.append(producer)
        is_past = self.setup.stops_newcomers and self._is_past_a_limit()
        self._look()
        if is_past and not self.here.seen[producer].stopped:
            self._broke(f"{producer} stopped past {self._both_limits}", f"{producer} is free", IN_MESSAGES)

    def _open(self, producer: str, options: ProducerOptions, connection: str | None = None) -> None:
        self.lab.open_producer(producer, self.here.name, connection=connection, options=options)
        self._note_connection(producer, connection)
        self.here.prediction.opened(producer)

    def _send(self, action: Action) -> None:
        producer = self._producer_at(action)
        free = producer in self.here.seen and not self.here.seen[producer].stopped and not self.here.ordered
        is_known = not self.here.in_transaction and not self.may_grow
        fits = free and is_known and self.lab.has_room(producer, action.amount)
        outcome = self._send_one(producer, action.amount)
        self._look()
        waits = outcome is Outcome.UNSETTLED and self.here.seen[producer].stopped
        if fits and (waits or outcome in (Outcome.REJECTED, Outcome.BLOCKED)):
            told = "not answered" if waits else str(outcome)
            self._broke("a message for which there is room accepted", f"it is {told}", "GENERAL-21")

    def _fill(self, action: Action) -> None:
        self._fill_by(self._producer_at(action), action.amount or FILL_SIZE)
        self._look()

    def _fill_by(self, producer: str, size: int = FILL_SIZE) -> None:
        past = 0
        for _ in range(self.setup.most_to_fill):
            past += self._is_past_a_limit()
            if self._send_one(producer, size) is not Outcome.ACCEPTED or self.lab.standing(producer).stopped:
                return
        if past > self.setup.most_past:
            self._broke(f"{producer} stopped past {self._both_limits}", f"{past} more messages taken", IN_MESSAGES)

    def _send_one(self, producer: str, size: int) -> Outcome:
        outcome = self.lab.send(producer, size)
        self.here.prediction.sent(self.sequence.last_sent, producer, size, outcome)
        return outcome

    def _close_producer(self, action: Action) -> None:
        producer, kills = self._producer_at(action), action.verb is Verb.KILL_PRODUCER
        deed = Deed.KILLED if kills else Deed.CLOSED
        before = self._stood(*(self._on_connection_of(producer) if kills else [producer]))
        was_stopped = producer in self.here.stopped
        held = self.lab.depth(self.here.name)
        if kills:
            self._lose_connection(producer)
        else:
            self.lab.close_producer(producer)
            self._forget(producer)
        self._look()
        if was_stopped:
            self.gone[deed] = None
            self._did(deed, bool(before))
        if was_stopped and self.lab.depth(self.here.name) == held:
            self._stands_as_before(before, producer, deed)
