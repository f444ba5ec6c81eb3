"""The actions by which messages of a random sequence are handed out, leave their destination, and go back to it."""

from collections.abc import Callable

from tidegate.conformance.findings import Deviation
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.observing import RULE_OF_FAREWELL
from tidegate.conformance.stateful.possible import Possible
from tidegate.conformance.stateful.tally import Deed


class Removing(Possible):
    """Consumes messages, gives them back, and removes them by management."""

    def _consume(self, action: Action) -> None:
        self._did(Deed.RELEASED, bool(self.here.stopped))
        consumer = self._consumer_at(action)
        for _ in range(action.amount):
            message_id = self._hand_out(consumer)
            if message_id is None:
                break
            self.lab.acknowledge(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-3")

    def _drain(self) -> None:
        self._did(Deed.RELEASED, bool(self.here.stopped) and self.here.prediction.messages > 0)
        for message_id, holder in list(self.here.ledger.in_hand.items()):
            self.lab.acknowledge(holder, message_id)
        consumer = self._consumer_at(Action(Verb.DRAIN))
        while (waiting := self._hand_out(consumer)) is not None:
            self.lab.acknowledge(consumer, waiting)
        self.lab.drain(self.here.name)
        self._settled()
        self._lets_go("GENERAL-3")
        # there was room for all, so what has not come by now never will
        for message_id in self._of_those_gone():
            del self.here.ledger.unanswered[message_id]

    def _take(self, action: Action) -> None:
        consumer = self._consumer_at(action)
        for _ in range(action.amount):
            if self._hand_out(consumer) is None:
                break
        self._look()

    def _acknowledge(self, action: Action) -> None:
        holders = sorted(self.here.ledger.in_hand.items())
        message_id, consumer = holders[action.place % len(holders)]
        self.lab.acknowledge(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-3")

    def _acknowledge_all(self, action: Action) -> None:
        self.lab.acknowledge_all(self._holder_at(action))
        self._settled()
        self._lets_go("GENERAL-3")

    def _give_back(self, action: Action) -> None:
        consumer = self._holder_at(action)
        self._did(Deed.RETURNED, bool(self.here.stopped))

        def give_back() -> None:
            self.lab.give_back(consumer)
            self.here.ledger.gives_back(consumer)

        self._releases_nobody(give_back)

    def _give_up(self, action: Action) -> None:
        holders = sorted(self.here.ledger.in_hand.items())
        message_id, consumer = holders[action.place % len(holders)]
        self._did(Deed.REFUSED, bool(self.here.stopped))
        held, nobody_waits = self.lab.depth(self.here.name), not self._somebody_waits()
        self.lab.give_up(consumer, message_id)
        self._settled()
        self._lets_go("GENERAL-43")
        holds = self.lab.comes_to(lambda: self.lab.depth(self.here.name), lambda depth: depth.messages < held.messages)
        if nobody_waits and not self.may_grow and holds.messages >= held.messages:
            self._broke(f"fewer than {held.messages} messages at {self.here.name}", self._holds(holds), "GENERAL-43")

    def _move(self, action: Action) -> None:
        try:
            self.lab.move_away(self.here.name)
        except Deviation as error:
            self._broke(error.expected, error.seen, "GENERAL-41")
        self.here.prediction.purged(self.here.ledger.in_hand)
        self._lets_go("GENERAL-41")

    def _look_through(self, look: Callable[[str], None]) -> None:
        self._releases_nobody(lambda: self.lab.look_through_if_it_can(look, self.here.name))

    def _releases_nobody(self, act: Callable[[], None]) -> None:
        """Raise if an act after which the same messages are there releases a stopped producer.

        A charge that the act changes shows at the end of the sequence, by GENERAL-8.
        """
        before = self._stood()
        act()
        self._look()
        for name, stopped in before.items():
            if stopped and not self.here.seen[name].stopped:
                self._broke(f"{name} stopped as before", f"{name} is free", "GENERAL-20")

    def _purge(self, action: Action) -> None:
        self._did(Deed.PURGED, bool(self.here.stopped))
        self.lab.purge(self.here.name)
        self.here.prediction.purged(self.here.ledger.in_hand)
        self._lets_go("GENERAL-4")

    def _close_consumer(self, action: Action) -> None:
        kills = action.verb is Verb.KILL_CONSUMER
        consumer = self._holder_at(action)
        deed = Deed.GAVE_BACK_BROKEN if kills else Deed.GAVE_BACK
        gone = self._on_connection_of(consumer) if kills else [consumer]
        before, held = self._stood(*gone), self.lab.depth(self.here.name)
        if kills:
            self._lose_connection(consumer)
        else:
            self.lab.close_consumer(consumer)
            self._forget(consumer)
            self._did(deed, True)
        holds = self.lab.comes_to(lambda: self.lab.depth(self.here.name), lambda depth: depth == held)
        self._look()
        if holds != held and not self.may_grow:
            expected = f"returned messages charged as before: {self._holds(held)}"
            self._broke(expected, self._holds(holds), RULE_OF_FAREWELL[deed])
        self._stands_as_before(before, consumer, deed)

    def _hand_out(self, consumer: str) -> str | None:
        message_id = self.lab.take(consumer)
        self._raise_what_is_broken()
        if message_id is not None and not self.here.ledger.handed_out(message_id, consumer):
            self._broke("each message handed out once", f"{self._named([message_id])} handed out twice", "GENERAL-2")
        return message_id

    def _settled(self) -> None:
        self.here.prediction.removed(self.here.ledger.just_acknowledged)
        self.here.ledger.just_acknowledged.clear()
