"""The producers of several destinations in a random sequence: they name one with each message, or send each to all."""

from tidegate.adapters.base import Outcome
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.possible import BOTH, NAMING, Possible
from tidegate.conformance.stateful.sending import FILL_SIZE
from tidegate.conformance.stateful.tally import Deed


class Roaming(Possible):
    """Attaches and closes producers of several destinations, and has them send."""

    def _attach_roaming(self, action: Action) -> None:
        self._ever_opened += 1
        connection = self._connection(action.place)
        if action.verb is Verb.ATTACH_NAMING:
            producer = f"{NAMING} {self._ever_opened}"
            self.lab.open_anonymous_producer(producer, connection)
        else:
            producer = f"{BOTH} {self._ever_opened}"
            self.lab.open_producer(producer, *(site.name for site in self.sites), connection=connection)
            for site in self.sites:
                site.prediction.opened(producer)
        self._note_connection(producer, connection)
        self.roaming[producer] = None
        self._look()

    def _roam(self, action: Action) -> None:
        """Have a producer send so many messages to this destination, or to all; 0: until it is stopped."""
        producer = self._roaming_at(action)
        names_it = producer.startswith(NAMING)
        targets = (self.here,) if names_it else self.sites
        for _ in range(action.amount or self.setup.most_to_fill):
            outcome = self.lab.send(producer, FILL_SIZE, to=self.here.name if names_it else None)
            for site in targets:
                if not site.prediction.knows(producer):
                    site.prediction.opened(producer)
                site.prediction.sent(self.sequence.last_sent, producer, FILL_SIZE, outcome)
            if outcome is not Outcome.ACCEPTED or self.lab.standing(producer).stopped:
                break
        self._look()
        standing = self.roaming[producer]
        is_stopped = standing is not None and standing.stopped
        self._did(Deed.NAMING_STOPPED if names_it else Deed.BOTH_STOPPED, is_stopped)

    def _leave_roaming(self, action: Action) -> None:
        producer = self._roaming_at(action)
        kills = action.verb is Verb.KILL_ROAMING
        before = self._stood(*(self._on_connection_of(producer) if kills else [producer]))
        if kills:
            self._lose_connection(producer)
        else:
            self._close_roaming(producer)
        self._look()
        if not self.may_grow:
            self._stands_as_before(before, producer, Deed.KILLED if kills else Deed.CLOSED)

    def _close_roaming(self, producer: str) -> None:
        self.lab.close_producer(producer)
        self._forget(producer)

    def _expect_roaming_producers_free(self) -> None:
        """Raise if a producer of several destinations is stopped once all of them are drained."""
        still = [name for name, seen in self.roaming.items() if seen and seen.stopped and not self._is_held(name)]
        if still:
            naming = ["GENERAL-14"] if any(name.startswith(NAMING) for name in still) else []
            expected = "every producer free once everything is consumed"
            self._broke(expected, f"{', '.join(still)} stopped", "GENERAL-3", *naming)

    def _deed_of_roaming(self) -> Deed:
        """The deed of the producers of several destinations, if they send."""
        return Deed.NAMING_STOPPED if self._names_destinations() else Deed.BOTH_STOPPED

    def _roaming_at(self, action: Action) -> str:
        names = list(self.roaming)
        return names[action.place % len(names)]
