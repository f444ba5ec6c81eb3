"""Observes a random sequence: the standing of each producer, the prediction, and broken rules and properties.

A sequence has one destination or two. Each action is about one of them, `here`; the others stay as they are.
"""

from collections.abc import Callable

from tidegate.adapters.base import NO_LIMIT, Depth, Standing
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.broken import PropertyBroken, RuleBroken
from tidegate.conformance.stateful.sequence import Sequence
from tidegate.conformance.stateful.setup import Setup, most_messages_of
from tidegate.conformance.stateful.site import Site
from tidegate.conformance.stateful.tally import Deed, Tally
from tidegate.model.language.judge import Judge, Judgement
from tidegate.record.events import Event

DESTINATIONS = ("destination", "other destination")
"""The names of the destinations; a sequence with one destination has the first one."""
COMMITTER = "transacted"
"""The name of the first producer of transactions, with which the names of later ones begin."""
SMALLEST = 1
IN_MESSAGES = "GENERAL-18"
"""The rule on limits in messages."""
LEAVES_OTHERS_ALONE = "GENERAL-19"
"""The rule on the producers of another destination."""
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
        names = DESTINATIONS if setup.has_two_destinations else DESTINATIONS[:1]
        self.sites = tuple(Site(name, setup.limits, setup.predict(setup.limits)) for name in names)
        """The destinations."""
        self.here = self.sites[0]
        """The destination of the present action."""
        self.roaming: dict[str, Standing | None] = {}
        """The producers of several destinations, each with the last standing at which it came to rest."""
        self.gone: dict[Deed, None] = {}
        """The deeds by which stopped producers left."""
        self._claims = claims
        self._broken: list[Judgement] = []
        self._judge = judge
        self._ever_opened = 0
        self._ever_consumed = 0
        self._committers = 0
        """How many producers of transactions there were."""
        lab.recorder.add_sink(self._note)

    def declare(self) -> None:
        """Declare the destinations and their configuration."""
        if self.setup.keeps_data:
            self.lab.keep_data()
        if self.setup.usage is not None:
            self.lab.declare_usage(self.setup.usage)
        for site in self.sites:
            self.lab.declare(site.name, self.setup.limits)

    def turn_to(self, place: int) -> None:
        """Let the next action be about the destination at this place."""
        self.here = self.sites[place % len(self.sites)]

    @property
    def may_grow(self) -> bool:
        """Whether a message may still be stored after its producer left without an answer. No document says so or not.

        A message of an open transaction is never stored after its producer left.
        """
        return bool(self._of_those_gone())

    def _of_those_gone(self) -> list[str]:
        """The messages whose producers left before an answer, except messages of transactions."""
        there = {self.lab.full_name(name) for name in (*self.here.producers, *self.roaming)}
        committer = self.lab.full_name(COMMITTER)
        unanswered = self.here.ledger.unanswered.items()
        return [message for message, name in unanswered if name not in there and not name.startswith(committer)]

    def _look(self) -> None:
        """Look at every producer.

        Raises if one was let go past a limit in messages or in bytes beside it, or is stopped by another destination.
        """
        were_stopped, none_waited = self.here.stopped, not self.here.prediction.has_waiting_sends
        free_elsewhere = [(site, name) for site in self.sites for name in site.seen if self._is_apart(site, name)]
        self._rest()
        for site, name in free_elsewhere:
            if site.seen[name].stopped and not site.prediction.stops(name):
                expected = f"{name} free, since it sends only to {site.name}"
                self._broke(expected, f"{name} is stopped", LEAVES_OTHERS_ALONE)
        stopped = sum(standing.stopped for site in self.sites for standing in site.seen.values())
        self.tally.looks += sum(len(site.seen) for site in self.sites)
        self.tally.stopped += stopped
        self._did(Deed.STOPPED, stopped > 0)
        self._did(Deed.STOPPED_BESIDE, any(site.stopped for site in self.sites if site is not self.here))
        if most_messages_of(self.here.limits) is None:
            return
        is_past = self._is_past_a_limit()
        self._did(Deed.STOPPED_BY_MESSAGES, bool(self.here.stopped) and is_past)
        freed = [name for name in were_stopped if name in self.here.seen and not self.here.seen[name].stopped]
        # a message that waited for room may have come since then, and a lifted order may let everybody go
        if freed and none_waited and is_past and not self.here.just_lifted and not self.may_grow:
            seen = f"{', '.join(freed)} free, and {self._holds(self.lab.depth(self.here.name))}"
            self._broke(f"nobody let go past {self._both_limits}", seen, IN_MESSAGES)

    def _rest(self) -> None:
        """Have every producer of every destination come to rest, and note its standing."""
        sites, wanted = {}, {}
        for site in self.sites:
            for name in site.producers if site.has_uncommitted else site.attached:
                sites[name], wanted[name] = site, self._as_predicted(site, name)
        for name in self.roaming:
            wanted[name] = self._as_all_predict(name)
        seen = self.lab.rest(wanted)
        for site in self.sites:
            # a producer of transactions is not in the trace before its commit
            apart = [name for name in site.attached if name not in wanted]
            site.seen = {name: seen[name] for name in wanted if sites.get(name) is site}
            site.seen |= {name: self.lab.standing(name) for name in apart}
        self.roaming = {name: seen[name] for name in self.roaming}

    def _is_apart(self, site: Site, name: str) -> bool:
        """Whether a producer of a destination other than `here` was seen free."""
        return site is not self.here and name in site.attached and not site.seen[name].stopped

    @property
    def _both_limits(self) -> str:
        """The limits in bytes and in messages, in words."""
        limit, most = self.here.limits.limit_bytes, f"{self.here.limits.limit_messages} messages"
        return most if limit in (None, NO_LIMIT) else f"{self.lab.in_words(self.lab.real(limit))} and {most}"

    def _is_past_a_limit(self) -> bool:
        """Whether a destination with a limit in messages is past one of its limits.

        No document says on which side of a limit in messages the limit itself lies.
        """
        most, limit = most_messages_of(self.here.limits), self.here.limits.limit_bytes
        if most is None or self.here.in_transaction:
            return False
        depth = self.lab.depth(self.here.name)
        too_many_bytes = limit is not None and limit != NO_LIMIT and depth.bytes > self.lab.real(limit)
        return depth.messages > most or too_many_bytes

    def _lets_go(self, rule: str) -> None:
        """Look once space was freed. Raises if a producer with room stays stopped although the model stops none."""
        self._look()
        names = list(self.here.seen)
        if self.here.ordered or self.here.in_transaction or any(map(self.here.prediction.stops, names)):
            return
        if still := [name for name in self.here.stopped if self.lab.has_room(name, SMALLEST)]:
            depth = self.lab.depth(self.here.name)
            also = () if most_messages_of(self.here.limits) is None else (IN_MESSAGES,)
            seen = f"{', '.join(still)} stopped, and {self._holds(depth)}"
            self._broke("nobody stopped once there is room", seen, rule, *also)

    def _as_predicted(self, site: Site, producer: str) -> Callable[[Standing], bool]:
        # the model does not know what an open transaction is charged
        is_open = bool(site.in_transaction) and not self.setup.charges_open_transactions
        return lambda seen: is_open or site.prediction.agrees(producer, seen)

    def _as_all_predict(self, producer: str) -> Callable[[Standing], bool]:
        """Whether a producer of several destinations stands as these predict together; any way where that is open.

        No document says whether an order of management stops it, and in which way it is issued credit.
        """
        if self.here.prediction.has_credit or any(site.ordered or site.in_transaction for site in self.sites):
            return lambda seen: True
        return lambda seen: seen.stopped == self._is_held(producer)

    def _is_held(self, producer: str) -> bool:
        """Whether some destination should stop a producer of several."""
        return any(site.prediction.stops(producer) for site in self.sites if site.prediction.knows(producer))

    def _did(self, deed: Deed, really: bool) -> None:
        if really:
            self.tally.deeds[deed] += 1

    def _note(self, event: Event) -> None:
        self.sequence.events.append(event)
        for site in self.sites:
            if event.destination == self.lab.full_name(site.name):
                site.ledger.note(event)
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

    def _stood(self, *without: str) -> dict[str, bool]:
        """For each producer but these, whether it was last seen stopped."""
        return {name: self.here.seen[name].stopped for name in self.here.producers if name not in without}

    def _stands_as_before(self, before: dict[str, bool], gone: str, deed: Deed) -> None:
        """Raise if a producer's standing changed when another party left and nothing else changed."""
        for name, stopped in before.items():
            if self.here.seen[name].stopped != stopped:
                expected = f"{name} {_stands(stopped)} as before {gone} was gone"
                self._broke(expected, f"{name} is {_stands(not stopped)}", RULE_OF_FAREWELL[deed])

    def _holds(self, depth: Depth) -> str:
        return f"{self.here.name} holds {self.lab.in_words(depth.bytes)} in {depth.messages} messages"

    def _named(self, message_ids: list[str]) -> str:
        names = ", ".join(map(self.lab.in_own_names, message_ids))
        return f"message{'' if len(message_ids) == 1 else 's'} {names}"


def _stands(stopped: bool) -> str:
    """The word for a producer's standing."""
    return "stopped" if stopped else "free"
