"""Draws the next action of a random sequence, with a weight on what was done least in this situation and after this
action.

A sequence begins with a filled destination more often than a fresh one, and with a latecomer about half the time.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.machine import Machine
from tidegate.conformance.stateful.observing import MOST_CONSUMERS
from tidegate.conformance.stateful.possible import MOST_PRODUCERS
from tidegate.conformance.stateful.tally import Deed

SIZES = (1, 99, 100, 199, 200, 201, 400, 500, 801, 1000, 1001)
"""Bytes; a message may also have the size that brings the destination to a level, or to a byte below or above it."""
MOST_ROUNDS = 4
BEGINS_FRESH = 0.2
STOPS_SOMEBODY = 5.0
"""The weight of a verb that gets a producer stopped; a verb not yet tried in a situation has at most 2."""
DEED = 6.0
"""The weight of a verb that does a deed for the first time."""
COSTLY: dict[Verb, float] = {Verb.ROUNDS: 0.3, Verb.MOVE: 0.4, Verb.DRAIN: 0.6, Verb.ATTACH: 0.7}
"""The factor of verbs that are done less often: they take long, or leave little to happen."""

OF_MESSAGES_IN_HAND = {Deed.RETURNED, Deed.REFUSED, Deed.GAVE_BACK, Deed.GAVE_BACK_BROKEN}
"""The deeds for which a consumer has messages in hand."""


@dataclass(frozen=True)
class Situation:
    """A sequence at one moment, by its model."""

    sides: tuple[int, ...]
    """The side of each level on which the destination is: below (-1), at (0), above (1)."""
    stopped: tuple[bool, ...]
    """For each producer, whether it should be stopped."""
    ordered: bool
    in_hand: bool
    """Whether consumers have messages in hand."""


class Chooser:
    """Draws actions for one sequence after another, and remembers the actions of all of them."""

    def __init__(self, random: Random):
        self._random = random
        self._in_situation: Counter[tuple[Situation, Verb]] = Counter()
        self._deeds: Counter[Deed] = Counter()
        self._in_pair: Counter[tuple[Verb | None, Verb]] = Counter()

    @property
    def situations(self) -> int:
        """The number of situations in which an action was drawn."""
        return len({situation for situation, _ in self._in_situation})

    def opening(self, latecomers_alone: bool) -> Iterable[Action]:
        """The first actions of a sequence; if only latecomers are soon stopped, all but one producer are latecomers."""
        producers = self._random.randint(2 if latecomers_alone else 1, MOST_PRODUCERS)
        latecomers = producers - 1 if latecomers_alone else self._random.randint(0, producers - 1)
        yield from [Action(Verb.ATTACH)] * (producers - latecomers)
        if self._random.random() >= BEGINS_FRESH:
            yield from (Action(Verb.FILL, place) for place in range(producers - latecomers))
        yield from [Action(Verb.ATTACH)] * latecomers

    def next(self, machine: Machine) -> Action:
        """The next action of a sequence."""
        situation = situation_of(machine)
        last = machine.taken[-1].verb if machine.taken else None
        verbs = machine.possible()
        stopping = _stopping(situation, machine)
        weights = [
            STOPS_SOMEBODY
            if verb is stopping
            else self._weight(situation, last, verb, _deeds_of(verb, situation, machine))
            for verb in verbs
        ]
        verb = self._random.choices(verbs, weights)[0]
        if deed := machine.deed_of(verb):
            self._deeds[deed] += 1
        self._in_situation[situation, verb] += 1
        self._in_pair[last, verb] += 1
        return Action(verb, self._place(verb, machine), self._amount(verb, machine))

    def _weight(self, situation: Situation, last: Verb | None, verb: Verb, deeds: Iterable[Deed]) -> float:
        by_situation = 1 / (1 + self._in_situation[situation, verb]) ** 2
        by_pair = 1 / (1 + self._in_pair[last, verb]) ** 2
        by_deed = max((DEED / (1 + self._deeds[deed]) ** 2 for deed in deeds), default=0.0)
        return (by_situation + by_pair + by_deed + 0.02) * COSTLY.get(verb, 1.0)

    def _place(self, verb: Verb, machine: Machine) -> int:
        """A random place; a producer to be closed or killed is a stopped one, if there is one."""
        stopped = [place for place, name in enumerate(machine.producers) if name in machine.stopped]
        if stopped and verb in (Verb.CLOSE_PRODUCER, Verb.KILL_PRODUCER):
            return self._random.choice(stopped)
        return self._random.randrange(MOST_PRODUCERS * MOST_CONSUMERS)

    def _amount(self, verb: Verb, machine: Machine) -> int:
        match verb:
            case Verb.SEND:
                return self._size(machine)
            case Verb.ROUNDS:
                return self._random.randint(2, MOST_ROUNDS)
            case Verb.CONSUME:
                return self._count(machine)
            case Verb.TAKE:
                return self._random.randint(1, 3)
            case Verb.RAISE:
                return self._random.choice(machine.setup.raised_from(machine.limits))
            case Verb.LOWER:
                return self._random.choice(machine.setup.lowered_from(machine.limits))
        return 0

    def _size(self, machine: Machine) -> int:
        level = machine.prediction.level
        missing = [one - level + step for one in machine.setup.levels(machine.limits) for step in (-1, 0, 1)]
        to_a_level = [size for size in missing if size > 0]
        return self._random.choice(to_a_level if to_a_level and self._random.random() < 0.5 else SIZES)

    def _count(self, machine: Machine) -> int:
        """A few messages, or as many as bring the destination down to a level or a byte below it."""
        free = machine.prediction.messages - len(machine.ledger.in_hand)
        if self._random.random() < 0.4:
            return self._random.randint(1, min(3, free))
        wanted = self._random.choice(machine.setup.levels(machine.limits) or (0,)) - self._random.randint(0, 1)
        level, count = machine.prediction.level, 1
        while count < free and level - machine.prediction.oldest(count) > wanted:
            count += 1
        return count


def _deeds_of(verb: Verb, situation: Situation, machine: Machine) -> set[Deed]:
    """The deeds that a verb would do now, or would lead to."""
    if verb is Verb.TAKE and not situation.in_hand:
        return machine.deeds & OF_MESSAGES_IN_HAND
    deed = machine.deed_of(verb)
    return set() if deed is None else {deed}


def _stopping(situation: Situation, machine: Machine) -> Verb | None:
    """The verb that gets a producer stopped; None if one is stopped already."""
    if any(situation.stopped):
        return None
    limit = machine.limits.limit_bytes
    is_full = limit is not None and machine.prediction.level >= limit
    if not (machine.setup.stops_latecomers and is_full):
        return Verb.FILL
    return Verb.ATTACH if Verb.ATTACH in machine.possible() else Verb.CLOSE_PRODUCER


def situation_of(machine: Machine) -> Situation:
    """The situation of a sequence, by its model."""
    level = machine.prediction.level
    return Situation(
        tuple((level > one) - (level < one) for one in machine.setup.levels(machine.limits)),
        tuple(map(machine.prediction.stops, machine.producers)),
        machine.ordered,
        bool(machine.ledger.in_hand),
    )
