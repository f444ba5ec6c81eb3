"""What ends all clients of a random sequence: the broker is started again, or the destination is created again."""

from dataclasses import replace

from tidegate.conformance.stateful.actions import Action
from tidegate.conformance.stateful.observing import DESTINATION, MOST_CONSUMERS
from tidegate.conformance.stateful.possible import Possible
from tidegate.conformance.stateful.tally import Deed

PAUSE_MS = 1000


class Renewing(Possible):
    """Starts the broker again, halts it, and creates the destination again."""

    def _restart(self, action: Action) -> None:
        """Kill the broker and start it again; what it accepted is there, and nobody is attached."""
        self._did(Deed.RESTARTED, bool(self.stopped))
        self.lab.restart_broker()
        if self.setup.charges_open_transactions:
            self.prediction.removed(self.in_transaction)
        for producer in [*self.producers, *([] if self._transacted is None else [self._transacted])]:
            self.prediction.closed(producer)
        self._nobody_is_attached()
        # what no broker had answered went with its connection
        self.ledger.unanswered.clear()
        self._look()

    def _recreate(self, action: Action) -> None:
        """Close all clients, delete the destination with its messages, and create it again."""
        self._did(Deed.RECREATED, bool(self.stopped))
        for producer in [*self.producers, *([] if self._transacted is None else [self._transacted])]:
            self.lab.close_producer(producer)
        for consumer in filter(None, self.consumers):
            self.lab.close_consumer(consumer)
        if self.limits != self.setup.limits:
            # the new destination has the limits that were declared, and the trace has those that were changed last
            self.lab.change_limits(DESTINATION, replace(self.setup.limits, cursor=None))
        self.lab.recreate(DESTINATION)
        self._nobody_is_attached()
        self.limits = self.setup.limits
        self.prediction = self.setup.predict(self.limits)
        self._look()
        depth = self.lab.comes_to(lambda: self.lab.depth(DESTINATION), lambda seen: seen.bytes == 0)
        if depth.bytes != 0 and not self.may_grow:
            self._broke("nothing charged on a destination that was created again", self._holds(depth), "GENERAL-8")

    def _halt(self, action: Action) -> None:
        """Halt the broker for a while; nobody is let go by that."""
        before = self._stood()
        self.lab.pause_broker(PAUSE_MS)
        self._look()
        for name, stopped in before.items():
            if stopped and not self._seen[name].stopped:
                self._broke(f"{name} stopped as before the broker was halted", f"{name} is free", "GENERAL-26")

    def _nobody_is_attached(self) -> None:
        for consumer in filter(None, self.consumers):
            self.ledger.gives_back(consumer)
        self.consumers = [None] * MOST_CONSUMERS
        self.producers.clear()
        self._transacted, self.has_uncommitted = None, False
        self.in_transaction, self.waits_in_transaction = {}, False
        self._seen = {}
