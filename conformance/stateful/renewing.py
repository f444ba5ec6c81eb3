"""What ends all clients of a random sequence: the broker is started again, or the destination is created again."""

from dataclasses import replace

from tidegate.conformance.stateful.actions import Action
from tidegate.conformance.stateful.roaming import Roaming
from tidegate.conformance.stateful.tally import Deed

PAUSE_MS = 1000


class Renewing(Roaming):
    """Starts the broker again, halts it, and creates the destination again."""

    def _restart(self, action: Action) -> None:
        """Kill the broker and start it again; what it accepted is there, and nobody is attached."""
        self._did(Deed.RESTARTED, bool(self.here.stopped))
        self.lab.restart_broker()
        for site in self.sites:
            if self.setup.charges_open_transactions:
                site.prediction.removed(site.in_transaction)
            for producer in (*site.attached, *self.roaming):
                site.prediction.closed(producer)
            site.nobody_is_attached()
            # what no broker had answered went with its connection
            site.ledger.unanswered.clear()
        self.roaming.clear()
        self._sharing.clear()
        self._look()

    def _recreate(self, action: Action) -> None:
        """Close all clients, delete the destination with its messages, and create it again."""
        self._did(Deed.RECREATED, bool(self.here.stopped))
        for producer in list(self.roaming):
            self._close_roaming(producer)
        for producer in self.here.attached:
            self.lab.close_producer(producer)
        for consumer in filter(None, self.here.consumers):
            self.lab.close_consumer(consumer)
        self._sharing -= {*self.here.attached, *filter(None, self.here.consumers)}
        if self.here.limits != self.setup.limits:
            # the new destination has the limits that were declared, and the trace has those that were changed last
            self.lab.change_limits(self.here.name, replace(self.setup.limits, cursor=None))
        self.lab.recreate(self.here.name)
        self.here.nobody_is_attached()
        self.here.limits = self.setup.limits
        self.here.prediction = self.setup.predict(self.here.limits)
        self._look()
        depth = self.lab.comes_to(lambda: self.lab.depth(self.here.name), lambda seen: seen.bytes == 0)
        if depth.bytes != 0 and not self.may_grow:
            self._broke("nothing charged on a destination that was created again", self._holds(depth), "GENERAL-8")

    def _halt(self, action: Action) -> None:
        """Halt the broker for a while; nobody is let go by that."""
        before = self._stood()
        self.lab.pause_broker(PAUSE_MS)
        self._look()
        for name, stopped in before.items():
            if stopped and not self.here.seen[name].stopped:
                self._broke(f"{name} stopped as before the broker was halted", f"{name} is free", "GENERAL-26")
