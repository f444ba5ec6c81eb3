"""Draws the next action of a random sequence, with a weight on what was done least in this situation and after this
action.

A sequence begins with a filled destination more often than a fresh one, and with a latecomer about half the time.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from random import Random

from tidegate.adapters.base import NO_LIMIT
from tidegate.conformance.stateful.actions import Action, Verb
from tidegate.conformance.stateful.machine import Machine
from tidegate.conformance.stateful.possible import MOST_PRODUCERS
from tidegate.conformance.stateful.setup import most_messages_of
from tidegate.conformance.stateful.site import MOST_CONSUMERS
from tidegate.conformance.stateful.tally import Deed

SIZES = (1, 99, 100, 199, 200, 201, 400, 500, 801, 1000, 1001)
"""Bytes; a message may also have the size that brings the destination to a level, or to a byte below or above it."""
IN_TRANSACTION = (150, 400, 700)
"""Bytes of a message of a transaction that may stay open."""
EXPIRING = (200, 400)
"""Bytes of a message that expires."""
SMALL = 10
"""Bytes of a message that fills a destination by the number of messages."""
MOST_ROUNDS = 4
LATE = frozenset({Verb.RECREATE, Verb.RESTART, Verb.HALT})
ENOUGH_BEFORE = 5
"""The fewest actions before a restart, a halt, or a destination that is created again."""
BEGINS_FRESH = 0.2
BEGINS_FRESH_BESIDE = 0.5
"""A producer of two full destinations never gets to the second one."""
BEGINS_ROAMING = 0.7
ROAMING = (0, 1)
"""The messages of a producer of several destinations; 0: as many as it takes to stop it."""
STOPS_SOMEBODY = 12.0
"""The weight of a verb that gets a producer stopped; where none is, another verb has at most 2, or a deed more."""
PAIR_AT_STOPPED = 4.0
"""The weight of a verb that never came after the last one while a producer was stopped."""
NEW_SIDES = 3.0
"""The weight of a consumption that reaches sides of the levels for the first time."""
DEED = 6.0
"""The weight of a verb that does a deed for the first time."""
MISSING_DEED = 60.0
"""The weight of a verb that does a deed without which a check ends as unknown, once the time for sequences is over."""
FACTORS: dict[Verb, float] = {
    Verb.ROUNDS: 0.3,
    Verb.MOVE: 0.4,
    Verb.DRAIN: 0.6,
    Verb.ATTACH: 0.7,
    Verb.RECREATE: 0.3,
    Verb.RESTART: 2.0,
    Verb.HALT: 0.3,
}
"""The factor of verbs that are done less often, since they take long or leave little to happen.

A start of the broker is possible in few sequences, and done more often there.
"""

OF_MESSAGES_IN_HAND = {Deed.RETURNED, Deed.REFUSED, Deed.GAVE_BACK, Deed.GAVE_BACK_BROKEN}
"""The deeds for which a consumer has messages in hand."""


Reached = tuple[bool, tuple[int, ...]]
"""Whether a producer was stopped before messages were taken, and the side of each level that was reached so."""


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
    beside: tuple[bool, ...]
    """For each other destination, whether it stops a producer."""
    roaming: int
    """The number of producers of several destinations."""


class Chooser:
    """Draws actions for one sequence after another, and remembers the actions of all of them."""

    def __init__(self, random: Random):
        self._random = random
        self._in_situation: Counter[tuple[Situation, Verb]] = Counter()
        self._deeds: Counter[Deed] = Counter()
        self._reached: Counter[Reached] = Counter()
        """How often messages were taken to reach these sides, with a stopped producer or without one."""
        self._in_pair: Counter[tuple[Verb | None, Verb, bool]] = Counter()
        """How often a verb came after another, with a stopped producer or without one."""
        self.missing: Collection[Deed] = ()
        """The deeds for which alone the sequences go on."""

    @property
    def situations(self) -> int:
        """The number of situations in which an action was drawn."""
        return len({situation for situation, _ in self._in_situation})

    def opening(self, machine: Machine) -> Iterable[Action]:
        """The first actions of a sequence: producers come to each destination, and mostly fill it.

        Where there are two destinations, a producer of both mostly comes next.
        """
        places = range(len(machine.sites))
        for at in places:
            for action in self._opening(machine):
                yield replace(action, at=at)
        roaming = [verb for verb in (Verb.ATTACH_NAMING, Verb.ATTACH_BOTH) if verb in machine.possible()]
        if roaming and self._random.random() < BEGINS_ROAMING:
            yield Action(self._random.choice(roaming), self._random.randrange(2))
            for at in self._random.sample(places, len(places)):
                yield Action(Verb.ROAM, amount=self._random.choice(ROAMING), at=at)

    def _opening(self, machine: Machine) -> Iterable[Action]:
        """The first actions at one destination; if only latecomers are soon stopped, all but one are latecomers."""
        latecomers_alone = machine.setup.stops_latecomers
        begins_fresh = BEGINS_FRESH if len(machine.sites) == 1 else BEGINS_FRESH_BESIDE
        producers = self._random.randint(2 if latecomers_alone else 1, MOST_PRODUCERS)
        latecomers = producers - 1 if latecomers_alone else self._random.randint(0, producers - 1)
        yield from self._newcomers(producers - latecomers)
        if self._random.random() >= begins_fresh:
            yield from (Action(Verb.FILL, place) for place in range(producers - latecomers))
        yield from self._newcomers(latecomers)

    def _newcomers(self, count: int) -> Iterable[Action]:
        return [Action(Verb.ATTACH, self._random.randrange(2)) for _ in range(count)]

    def next(self, machine: Machine) -> Action:
        """The next action of a sequence."""
        at = self._random.randrange(len(machine.sites))
        machine.turn_to(at)
        situation = situation_of(machine)
        last = machine.taken[-1].verb if machine.taken else None
        is_early = len(machine.taken) < ENOUGH_BEFORE
        verbs = [verb for verb in machine.possible() if not (is_early and verb in LATE)]
        stopping = _stopping(situation, machine)
        weights = [
            STOPS_SOMEBODY if verb is stopping else self._weight(situation, last, verb, machine) for verb in verbs
        ]
        verb = self._random.choices(verbs, weights)[0]
        if deed := machine.deed_of(verb):
            self._deeds[deed] += 1
        self._in_situation[situation, verb] += 1
        self._in_pair[last, verb, bool(machine.here.stopped)] += 1
        return Action(verb, self._place(verb, machine), self._amount(verb, machine), at)

    def _weight(self, situation: Situation, last: Verb | None, verb: Verb, machine: Machine) -> float:
        deeds = _deeds_of(verb, situation, machine)
        by_situation = 1 / (1 + self._in_situation[situation, verb]) ** 2
        pair = PAIR_AT_STOPPED if machine.here.stopped else 1.0
        by_pair = pair / (1 + self._in_pair[last, verb, bool(machine.here.stopped)]) ** 2
        by_deed = max((DEED / (1 + self._deeds[deed]) ** 2 for deed in deeds), default=0.0)
        if any(deed in self.missing for deed in deeds):
            by_deed = MISSING_DEED
        by_sides = self._new_sides(verb, machine)
        return (by_situation + by_pair + by_deed + by_sides + 0.02) * FACTORS.get(verb, 1.0)

    def _new_sides(self, verb: Verb, machine: Machine) -> float:
        """A weight for a consumption at a stopped producer that can reach sides which were rarely reached."""
        if verb is not Verb.CONSUME or not machine.here.stopped:
            return 0.0
        return NEW_SIDES / (1 + self._least_reached(machine)) ** 2

    def _least_reached(self, machine: Machine) -> int:
        """The fewest times that a side was reached, of the sides that can be reached now. A message must wait."""
        return min(map(self._reached.__getitem__, _leading(machine, _waiting(machine))))

    def _place(self, verb: Verb, machine: Machine) -> int:
        """A random place; a producer to be closed or killed is a stopped one, if there is one."""
        stopped = [place for place, name in enumerate(machine.here.producers) if name in machine.here.stopped]
        if stopped and verb in (Verb.CLOSE_PRODUCER, Verb.KILL_PRODUCER):
            return self._random.choice(stopped)
        return self._random.randrange(MOST_PRODUCERS * MOST_CONSUMERS)

    def _amount(self, verb: Verb, machine: Machine) -> int:
        match verb:
            case Verb.SEND:
                return self._size(machine)
            case Verb.EXPIRE:
                return self._random.choice(EXPIRING)
            case Verb.SEND_IN_TRANSACTION:
                return self._random.choice(IN_TRANSACTION)
            case Verb.ROAM:
                return self._random.choice(ROAMING)
            case Verb.ROUNDS:
                return self._random.randint(2, MOST_ROUNDS)
            case Verb.CONSUME:
                return self._count(machine)
            case Verb.FILL:
                return self._random.choice((0, SMALL)) if most_messages_of(machine.here.limits) is not None else 0
            case Verb.TAKE:
                return self._random.randint(1, 3) if self._random.random() < 0.7 else self._count(machine)
            case Verb.RAISE:
                return self._random.choice(machine.setup.raised_from(machine.here.limits))
            case Verb.LOWER:
                return self._random.choice(machine.setup.lowered_from(machine.here.limits))
            case Verb.RAISE_MESSAGES:
                return self._random.choice(machine.setup.raised_messages_from(machine.here.limits))
            case Verb.LOWER_MESSAGES:
                return self._random.choice(machine.setup.lowered_messages_from(machine.here.limits))
        return 0

    def _size(self, machine: Machine) -> int:
        level = machine.here.prediction.level
        missing = [one - level + step for one in machine.setup.levels(machine.here.limits) for step in (-1, 0, 1)]
        to_a_level = [size for size in missing if size > 0]
        return self._random.choice(to_a_level if to_a_level and self._random.random() < 0.5 else SIZES)

    def _count(self, machine: Machine) -> int:
        """A few messages, or as many as lead to the sides of the levels that were reached least by now."""
        free = _waiting(machine)
        if self._random.random() < 0.3:
            return self._random.randint(1, min(3, free))
        leading, least = _leading(machine, free), self._least_reached(machine)
        reached = self._random.choice([each for each in leading if self._reached[each] == least])
        self._reached[reached] += 1
        return self._random.choice(leading[reached])


def _waiting(machine: Machine) -> int:
    """The number of messages that nobody has in hand."""
    return machine.here.prediction.messages - len(machine.here.ledger.in_hand)


def _leading(machine: Machine, free: int) -> dict[Reached, list[int]]:
    """The numbers of messages to take, at most `free`, grouped by the state to which each number leads."""
    leading: dict[Reached, list[int]] = {}
    for count in range(1, free + 1):
        leading.setdefault((bool(machine.here.stopped), _sides_without(count, machine)), []).append(count)
    return leading


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
    limit, most = machine.here.limits.limit_bytes, most_messages_of(machine.here.limits)
    is_full = (limit is not None and limit != NO_LIMIT and machine.here.prediction.level >= limit) or (
        most is not None and machine.here.prediction.messages >= most
    )
    if not (machine.setup.stops_latecomers and is_full):
        return Verb.FILL
    return Verb.ATTACH if Verb.ATTACH in machine.possible() else Verb.CLOSE_PRODUCER


def situation_of(machine: Machine) -> Situation:
    """The situation of a sequence, by its model."""
    return Situation(
        _sides_without(0, machine),
        tuple(map(machine.here.prediction.stops, machine.here.producers)),
        machine.here.ordered,
        bool(machine.here.ledger.in_hand),
        tuple(bool(site.stopped) for site in machine.sites if site is not machine.here),
        len(machine.roaming),
    )


def _sides_without(count: int, machine: Machine) -> tuple[int, ...]:
    """The side of each level on which the destination is without its oldest `count` messages."""
    here = machine.here
    level, most = here.prediction.level - here.prediction.oldest(count), most_messages_of(here.limits)
    held = here.prediction.messages - count
    pairs = [*((level, one) for one in machine.setup.levels(here.limits)), *((held, one) for one in (most,) if one)]
    return tuple((value > one) - (value < one) for value, one in pairs)
