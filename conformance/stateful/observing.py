"""Observes a random sequence: the standing of each producer, the prediction, and broken rules and properties."""

from collections.abc import Callable

from tidegate.adapters.base import Depth, Limits, Standing
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.broken import PropertyBroken, RuleBroken
from tidegate.conformance.stateful.ledger import Ledger
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.conformance.stateful.setup import Setup
from tidegate.conformance.stateful.tally import Deed, Tally
from tidegate.model.language.judge import Judge, Judgement
from tidegate.record.events import Event

DESTINATION = "destination"
SMALLEST = 1
MOST_CONSUMERS = 2
RULE_OF_FAREWELL = {
    Deed.CLOSED: "GENERAL-9",
    Deed.KILLED: "GENERAL-10",
    Deed.GAVE_BACK: "GENERAL-11",
    Deed.GAVE_BACK_BROKEN: "GENERAL-12",
}
"""By deed, the rule on what happens once a producer or consumer is gone."""


class Observed:
    """The lab of one sequence, with the model's prediction and the counts."""

    def __init__(self, lab: Lab, setup: Setup, judge: Judge, claims: Callable[[str], bool]):
        self.lab = lab
        self.setup = setup
        self.tally = Tally(sequences=1)
        self.sequence = Sequence(lab)
        self.limits: Limits = setup.limits
        self.prediction = setup.predict(setup.limits)
        self.ledger = Ledger()
        self.producers: list[str] = []
        self.consumers: list[str | None] = [None] * MOST_CONSUMERS
        """For each place, the consumer that is open there; None if none is."""
        self.ordered = False
        self.gone: dict[Deed, None] = {}
        """The deeds by which stopped producers left."""
        self._claims = claims
        self._broken: list[Judgement] = []
        self._judge = judge
        self._ever_opened = 0
        self._ever_consumed = 0
        self._transacted: str | None = None
        self._seen: dict[str, Standing] = {}
        """The last standing at which each producer came to rest."""
        lab.recorder.add_sink(self._note)

    def declare(self) -> None:
        """Declare the destination and its configuration."""
        if self.setup.usage is not None:
            self.lab.declare_usage(self.setup.usage)
        self.lab.declare(DESTINATION, self.setup.limits)

    @property
    def stopped(self) -> tuple[str, ...]:
        """The producers that were last seen stopped."""
        return tuple(name for name, standing in self._seen.items() if standing.stopped)

    def _look(self) -> None:
        names = [*self.producers, *([self._transacted] if self._transacted else [])]
        self._seen = self.lab.rest({name: self._as_predicted(name) for name in names})
        self.tally.looks += len(self._seen)
        stopped = sum(standing.stopped for standing in self._seen.values())
        self.tally.stopped += stopped
        self._did(Deed.STOPPED, stopped > 0)

    def _lets_go(self, rule: str) -> None:
        """Look once space was freed. Raises if a producer with room stays stopped although the model stops none."""
        self._look()
        names = list(self._seen)
        if self.ordered or any(map(self.prediction.stops, names)):
            return
        if still := [name for name in self.stopped if self.lab.has_room(name, SMALLEST)]:
            depth = self.lab.depth(DESTINATION)
            self._broke(
                "nobody stopped once there is room", f"{', '.join(still)} stopped, and {self._holds(depth)}", rule
            )

    def _as_predicted(self, producer: str) -> Callable[[Standing], bool]:
        return lambda seen: self.prediction.agrees(producer, seen)

    def _did(self, deed: Deed, really: bool) -> None:
        if really:
            self.tally.deeds[deed] += 1

    def _note(self, event: Event) -> None:
        self.sequence.events.append(event)
        self.ledger.note(event)
        self._broken += [judgement for judgement in self._judge.judge(event) if not judgement.holds]

    def _raise_what_is_broken(self) -> None:
        if self._broken:
            raise RuleBroken(self._broken, self.sequence)

    def _broke(self, expected: str, seen: str, *rules: str) -> None:
        """Raise PropertyBroken for the claimed ones of these rules; do nothing if none is claimed."""
        claimed = tuple(dict.fromkeys(rule for rule in rules if self._claims(rule)))
        if claimed:
            claimed = tuple(dict.fromkeys((*claimed, *(judgement.rule.rule_id for judgement in self._broken))))
            raise PropertyBroken(expected, seen, claimed, self.sequence)

    def _stood(self, without: str | None = None) -> dict[str, bool]:
        """For each producer but one, whether it was last seen stopped."""
        return {name: self._seen[name].stopped for name in self.producers if name != without}

    def _stands_as_before(self, before: dict[str, bool], gone: str, deed: Deed) -> None:
        """Raise if a producer's standing changed when another party left and nothing else changed."""
        for name, stopped in before.items():
            if self._seen[name].stopped != stopped:
                expected = f"{name} {_stands(stopped)} as before {gone} was gone"
                self._broke(expected, f"{name} is {_stands(not stopped)}", RULE_OF_FAREWELL[deed])

    def _holds(self, depth: Depth) -> str:
        return f"{DESTINATION} holds {self.lab.in_words(depth.bytes)} in {depth.messages} messages"

    def _named(self, message_ids: list[str]) -> str:
        names = ", ".join(map(self.lab.in_own_names, message_ids))
        return f"message{'' if len(message_ids) == 1 else 's'} {names}"


def _stands(stopped: bool) -> str:
    """The word for a producer's standing."""
    return "stopped" if stopped else "free"
