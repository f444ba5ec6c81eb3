"""Runs random sequences within a budget, cuts each finding down, and counts the actions."""

import time
from collections.abc import Callable, Collection, Iterable
from collections.abc import Sequence as Several
from dataclasses import dataclass, field
from random import Random

from tidegate.adapters.base import Adapter, AdapterError, Unsupported
from tidegate.conformance.conditions.condition import Weave
from tidegate.conformance.findings import Deviation, Varies
from tidegate.conformance.lab import Lab
from tidegate.conformance.stateful.actions import Action, Verb, offered_by
from tidegate.conformance.stateful.choosing import Chooser
from tidegate.conformance.stateful.machine import Machine
from tidegate.conformance.stateful.sequence import Sequence, varying
from tidegate.conformance.stateful.setup import Setup
from tidegate.conformance.stateful.shrinking import shrunk
from tidegate.conformance.stateful.tally import Deed, Tally
from tidegate.conformance.stateful.variation import Variation, in_turn, variations
from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition

MOST_FINDINGS = 3
LONGEST = 3
"""The factor by which the time may grow while a deed was not done yet."""


@dataclass(frozen=True)
class Budget:
    """The limits of the random sequences of one mechanism."""

    sequences: int
    actions: int
    """The most actions of one sequence."""
    seconds: float
    """The time after which no further sequence begins, and the time to cut down one finding."""
    runs: int
    """The most runs to cut down one finding."""


ON_A_VIRTUAL_CLOCK = Budget(sequences=80, actions=14, seconds=120, runs=100)
IN_REAL_TIME = Budget(sequences=800, actions=12, seconds=20, runs=12)


def budget_for(adapter: Adapter) -> Budget:
    """The budget of random sequences with an adapter."""
    return ON_A_VIRTUAL_CLOCK if adapter.parameters.has_virtual_clock else IN_REAL_TIME


@dataclass(frozen=True)
class Found:
    """A script that deviates on an implementation under a variation, and its deviation."""

    script: tuple[Action, ...]
    error: Deviation
    sequence: Sequence
    variation: Variation


@dataclass
class Explored:
    """The results of the random sequences of one mechanism."""

    tally: Tally = field(default_factory=Tally)
    situations: int = 0
    findings: list[Found] = field(default_factory=list)
    """One finding for each rule that a sequence broke before any other rule."""
    failure: AdapterError | Varies | None = None
    """The error that ended the sequences early; None without one."""
    without: dict[Verb, str] = field(default_factory=dict)
    """The verbs that the adapter turned out not to offer, with its sentence; they are not tried again."""
    told: tuple[str, ...] = ()
    """The steps before the failure."""


class Exploration:
    """Runs the random sequences of one mechanism on one implementation."""

    def __init__(
        self,
        open_lab: Callable[[str, Weave], Lab],
        close_lab: Callable[[Lab], None],
        setup: Setup,
        rules: Several[Definition],
        claims: Callable[[str], bool],
        budget: Budget,
        check: str,
        capabilities: Collection[str],
    ):
        self._open_lab = open_lab
        self._close_lab = close_lab
        self._setup = setup
        self._rules = rules
        self._claims = claims
        self._budget = budget
        self.check = check
        """The name of the check for which the sequences run."""
        self._capabilities = capabilities
        self._variations = variations(setup, capabilities)
        self._explored = Explored()
        self.judged: set[str] = set()
        """The trace sources whose events were judged as they happened."""

    def run(self, seed: str) -> Explored:
        """Draw sequences by the seed until the budget is used up, or there are findings enough."""
        chooser, explored = Chooser(Random(seed)), self._explored  # noqa: S311
        is_virtual = self._budget is ON_A_VIRTUAL_CLOCK
        turns = in_turn(
            self._variations,
            self._setup,
            self._capabilities,
            Random(seed),  # noqa: S311
            is_virtual=is_virtual,
        )
        ends = time.monotonic() + self._budget.seconds
        latest = ends + (LONGEST - 1) * self._budget.seconds
        known: set[str] = set()
        deeds: set[Deed] = set()
        while explored.tally.sequences < self._budget.sequences and len(explored.findings) < MOST_FINDINGS:
            now = time.monotonic()
            missing = deeds - explored.tally.deeds.keys()
            if now > latest or (now > ends and not missing):
                break
            chooser.missing = missing if now > ends else ()
            variation = next(turns)
            machine, error = self._sequence(lambda machine: self._drawn(machine, chooser), variation)
            explored.tally.add(machine.tally)
            deeds |= machine.deeds
            if isinstance(error, Unsupported) and machine.taken:
                explored.without[machine.taken[-1].verb] = str(error)
                continue
            if isinstance(error, AdapterError):
                self._repeat_failure(machine, error, variation)
                break
            if error is None or error.rules[0] in known:
                continue
            began = time.monotonic()
            found = self._confirmed(machine, error, variation)
            if found is None:
                break
            took = time.monotonic() - began
            ends, latest = ends + took, latest + took
            known |= {*error.rules, *found.error.rules}
            explored.findings.append(found)
        explored.situations = chooser.situations
        return explored

    def again(self, found: Found, check: str | None = None) -> Found:
        """Run a script again, under the name of another check if one is given. Raises Varies if it ends differently."""
        machine, error = self._sequence(lambda _: found.script, found.variation, check)
        if isinstance(error, Deviation) and _alike(found.error, error):
            return Found(tuple(machine.taken), error, machine.sequence, found.variation)
        raise varying([found.sequence, machine.sequence])

    def _drawn(self, machine: Machine, chooser: Chooser) -> Iterable[Action]:
        yield from chooser.opening(machine)
        for _ in range(self._budget.actions):
            yield chooser.next(machine)

    def _sequence(
        self, actions: Callable[[Machine], Iterable[Action]], variation: Variation, check: str | None = None
    ) -> tuple[Machine, Deviation | AdapterError | None]:
        """Run one sequence in its own lab; its machine and its error, if any."""
        lab = self._open_lab(check or self.check, variation.weave)
        verbs = tuple(verb for verb in offered_by(lab.adapter) if verb not in self._explored.without)
        machine = Machine(lab, variation.of(self._setup), verbs, Judge(self._rules), self._claims)
        ended: Deviation | AdapterError | None = None
        try:
            machine.declare()
            for action in actions(machine):
                machine.take(action)
            machine.end()
        except (Deviation, AdapterError) as error:
            ended = machine.sequence.error = error
        finally:
            self._close_lab(lab)
        if not isinstance(ended, AdapterError):
            self.judged.add(lab.recorder.source)
        return machine, ended

    def _confirmed(self, machine: Machine, error: Deviation, variation: Variation) -> Found | None:
        """The finding, cut down, and without its variation, or with one destination, if it shows there too.

        None if the same actions did not lead to it again.
        """
        first = Found(tuple(machine.taken), error, machine.sequence, variation)
        try:
            repeated = self.again(first)
        except Varies as varies:
            self._explored.failure = varies
            return None
        ends = time.monotonic() + self._budget.seconds

        def run(actions: Several[Action], under: Variation) -> Found | None:
            if time.monotonic() > ends:
                return None
            tried, ended = self._sequence(lambda _: actions, under)
            if isinstance(ended, Deviation) and _alike(error, ended):
                return Found(tuple(tried.taken), ended, tried.sequence, under)
            return None

        simpler = (run(repeated.script, each) for each in (self._variations[0], variation.alone) if each != variation)
        simplest = next(filter(None, simpler), repeated)
        return shrunk(simplest, lambda actions: run(actions, simplest.variation), self._budget.runs)

    def _repeat_failure(self, machine: Machine, error: AdapterError, variation: Variation) -> None:
        """Note the failure of the adapter if it comes again; otherwise note how the repetition differed."""
        again, repeated = self._sequence(lambda _: machine.taken, variation)
        if isinstance(repeated, AdapterError):
            self._explored.failure, self._explored.told = repeated, again.sequence.told
        else:
            self._explored.failure = varying([machine.sequence, again.sequence])


def _alike(one: Deviation, other: Deviation | AdapterError | None) -> bool:
    """Whether the second also breaks the rule that the first broke first."""
    return isinstance(other, Deviation) and one.rules[0] in other.rules
