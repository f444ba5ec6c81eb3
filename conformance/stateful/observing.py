"""Observes a random sequence: the standing of each producer, the prediction, and broken rules and properties."""

from collections.abc import Callable

from tidegate.adapters.base import NO_LIMIT, Depth, Limits, Standing
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.broken import PropertyBroken, RuleBroken
from tidegate.conformance.stateful.ledger import Ledger
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.conformance.stateful.setup import Setup, most_messages_of
from tidegate.conformance.stateful.tally import Deed, Tally
from tidegate.model.language.judge import Judge, Judgement
from tidegate.record.events import Event

DESTINATION = "destination"
COMMITTER = "transacted"
"""The name of the first producer of transactions, with which the names of later ones begin."""
SMALLEST = 1
IN_MESSAGES = "GENERAL-18"
"""The rule on limits in messages."""
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
        self.just_lifted = False
        """Whether the last action lifted an order of management."""
        self.gone: dict[Deed, None] = {}
        """The deeds by which stopped producers left."""
        self._claims = claims
        self._broken: list[Judgement] = []
        self._judge = judge
        self._ever_opened = 0
        self._ever_consumed = 0
        self._transacted: str | None = None
        self._committers = 0
        """How many producers of transactions there were."""
        self.in_transaction: dict[str, int] = {}
        """The messages of the open transaction that are unsettled, with their sizes in bytes."""
        self.waits_in_transaction = False
        """Whether the call that sent the last of them waited for room; it may have returned since."""
        self.has_uncommitted = False
        """Whether the producer of transactions has sent without a commit since. The trace rules take each message that
        was sent for one that came, so the standing of this producer is not in the trace until then."""
        self._comparable = False
        """Whether the destination held what the model says before the open transaction began."""
        self._seen: dict[str, Standing] = {}
        """The last standing at which each producer came to rest."""
        lab.recorder.add_sink(self._note)

    def declare(self) -> None:
        """Declare the destination and its configuration."""
        if self.setup.keeps_data:
            self.lab.keep_data()
        if self.setup.usage is not None:
            self.lab.declare_usage(self.setup.usage)
        self.lab.declare(DESTINATION, self.setup.limits)

    @property
    def stopped(self) -> tuple[str, ...]:
        """The producers that were last seen stopped."""
        return tuple(name for name, standing in self._seen.items() if standing.stopped)

    @property
    def may_grow(self) -> bool:
        """Whether a message may still be stored after its producer left without an answer. No document says so or not.

        A message of an open transaction is never stored after its producer left.
        """
        return bool(self._of_those_gone())

    def _of_those_gone(self) -> list[str]:
        """The messages whose producers left before an answer, except messages of transactions."""
        there = {self.lab.full_name(name) for name in self.producers}
        committer = self.lab.full_name(COMMITTER)
        unanswered = self.ledger.unanswered.items()
        return [message for message, name in unanswered if name not in there and not name.startswith(committer)]

    def _look(self) -> None:
        """Look at every producer. Raises if one was let go past a limit in messages or in bytes beside it."""
        were_stopped, none_waited = self.stopped, not self.prediction.has_waiting_sends
        transacted = [] if self._transacted is None else [self._transacted]
        names = [*self.producers, *([] if self.has_uncommitted else transacted)]
        self._seen = self.lab.rest({name: self._as_predicted(name) for name in names})
        self._seen |= {name: self.lab.standing(name) for name in transacted if name not in names}
        self.tally.looks += len(self._seen)
        stopped = sum(standing.stopped for standing in self._seen.values())
        self.tally.stopped += stopped
        self._did(Deed.STOPPED, stopped > 0)
        if most_messages_of(self.limits) is None:
            return
        is_past = self._is_past_a_limit()
        self._did(Deed.STOPPED_BY_MESSAGES, stopped > 0 and is_past)
        freed = [name for name in were_stopped if name in self._seen and not self._seen[name].stopped]
        # a message that waited for room may have come since then, and a lifted order may let everybody go
        if freed and none_waited and is_past and not self.just_lifted and not self.may_grow:
            seen = f"{', '.join(freed)} free, and {self._holds(self.lab.depth(DESTINATION))}"
            self._broke(f"nobody let go past {self._both_limits}", seen, IN_MESSAGES)

    @property
    def _both_limits(self) -> str:
        """The limits in bytes and in messages, in words."""
        limit, most = self.limits.limit_bytes, f"{self.limits.limit_messages} messages"
        return most if limit in (None, NO_LIMIT) else f"{self.lab.in_words(self.lab.real(limit))} and {most}"

    def _is_past_a_limit(self) -> bool:
        """Whether a destination with a limit in messages is past one of its limits.

        No document says on which side of a limit in messages the limit itself lies.
        """
        most, limit = most_messages_of(self.limits), self.limits.limit_bytes
        if most is None or self.in_transaction:
            return False
        depth = self.lab.depth(DESTINATION)
        too_many_bytes = limit is not None and limit != NO_LIMIT and depth.bytes > self.lab.real(limit)
        return depth.messages > most or too_many_bytes

    def _lets_go(self, rule: str) -> None:
        """Look once space was freed. Raises if a producer with room stays stopped although the model stops none."""
        self._look()
        names = list(self._seen)
        if self.ordered or self.in_transaction or any(map(self.prediction.stops, names)):
            return
        if still := [name for name in self.stopped if self.lab.has_room(name, SMALLEST)]:
            depth = self.lab.depth(DESTINATION)
            also = () if most_messages_of(self.limits) is None else (IN_MESSAGES,)
            seen = f"{', '.join(still)} stopped, and {self._holds(depth)}"
            self._broke("nobody stopped once there is room", seen, rule, *also)

    def _as_predicted(self, producer: str) -> Callable[[Standing], bool]:
        # the model does not know what an open transaction is charged
        is_open = bool(self.in_transaction) and not self.setup.charges_open_transactions
        return lambda seen: is_open or self.prediction.agrees(producer, seen)

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
