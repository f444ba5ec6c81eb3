"""Messages that expire in a random sequence: they fill an empty destination, and leave once a consumer asks.

The trace takes all messages of a destination for expired ones, so nothing else is there then.
"""

from tidegate.adapters.base import Outcome
from tidegate.conformance.stateful.actions import Action
from tidegate.conformance.stateful.removing import Removing
from tidegate.conformance.stateful.tally import Deed

LIVES_MS = 200
LIVES_LONG_MS = 36_000_000
"""The life of a message on a virtual clock, which runs for an hour while the suite looks once: ten hours."""
EXPIRES = "GENERAL-40"


class Expiring(Removing):
    """Fills the destination with messages that expire, and lets their time pass."""

    def _expire(self, action: Action) -> None:
        producer = self._free_producers()[action.place % len(self._free_producers())]
        waited = False
        for _ in range(self.setup.most_to_fill):
            # open: whether a message is stored that expires while its producer waits with it
            if not self.lab.has_room(producer, action.amount) and not self.setup.stops_after_a_send:
                break
            outcome = self.lab.send(producer, action.amount, lives_ms=self._lives_ms())
            self.here.prediction.sent(self.sequence.last_sent, producer, action.amount, outcome)
            waited = outcome is Outcome.UNSETTLED
            if outcome is not Outcome.ACCEPTED or self.lab.standing(producer).stopped:
                break
        if self.lab.clock_is_virtual:
            self._look()
        over = set(self.here.prediction.held)
        self._consumer_at(action)
        handed = self.lab.let_expire(self.here.name, 2 * self._lives_ms())
        self._did(Deed.EXPIRED, bool(over))
        if handed:
            self._broke("no message handed out whose time is over", self._named(handed), EXPIRES)
        self.here.prediction.removed(over)
        for consumer in filter(None, self.here.consumers):
            for message_id in self.lab.held.get(consumer, ()):
                self.here.ledger.in_hand.setdefault(message_id, consumer)
        if not waited:
            depth = self.lab.comes_to(lambda: self.lab.depth(self.here.name), lambda seen: seen.bytes == 0)
            if depth.bytes != 0 and not self.may_grow:
                self._broke("nothing charged for messages whose time is over", self._holds(depth), EXPIRES)
        self._lets_go(EXPIRES)

    def _lives_ms(self) -> int:
        return LIVES_LONG_MS if self.lab.clock_is_virtual else LIVES_MS

    def _free_producers(self) -> list[str]:
        """The producers that were last seen free."""
        return [name for name in self.here.producers if name in self.here.seen and not self.here.seen[name].stopped]

    def _can_expire(self) -> bool:
        holds_nothing = self.here.prediction.messages == 0 and not self.here.prediction.has_waiting_sends
        is_apart = not self.lab.weave.anonymous and not self.here.ordered and not self.here.in_transaction
        return holds_nothing and is_apart and self.setup.usage is None and bool(self._free_producers())
