"""Hunts mutants of trace rules with the literal traces: each trace is judged with the changed rule."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from tidegate.conformance.mutants.changes import Mutant
from tidegate.conformance.mutants.in_a_child import DidNotEnd, in_children
from tidegate.conformance.mutants.in_place import put_in_place
from tidegate.conformance.mutants.used import with_what_they_use
from tidegate.conformance.traces import LiteralTrace, Said, said_of
from tidegate.model.language.rule import Definition
from tidegate.record.errors import TidegateError

NOBODY = ""


def hunt(
    mutants: Sequence[Mutant], rules: Sequence[Definition], traces: Sequence[LiteralTrace], at_once: int
) -> dict[str, str]:
    """By the name of each mutant, the first trace whose judgement differs from its file; NOBODY if none does.

    `rules` are the judging rules. Raises TidegateError if a judgement differs without a change.
    """
    for trace in traces:
        own = [rule for rule in rules if rule.function.__module__ == trace.module]
        if said_of(trace, own) != (trace.kept, trace.violated):
            raise TidegateError(f"although no rule was changed, the verdicts on the trace {trace.name!r} changed")
    using = {rule: with_what_they_use([rule]) for rule in rules}

    def task(mutant: Mutant) -> tuple[str, Callable[[], str]]:
        mine = [rule for rule in rules if mutant.original in using[rule]]
        return mutant.name, partial(_first_otherwise, mutant, mine, traces)

    return {
        name: "a trace that is judged for ever" if isinstance(found, DidNotEnd) else found
        for name, found in in_children(map(task, mutants), at_once)
    }


def _first_otherwise(mutant: Mutant, using: Sequence[Definition], traces: Sequence[LiteralTrace]) -> str:
    """The first trace on which rules that use the mutant differ from the file. Runs in a child."""
    if mutant.original not in using:
        put_in_place(mutant.changed)
    # new definitions, because a reader keeps what it read of the old ones
    changed = {rule: mutant.changed if rule is mutant.original else replace(rule) for rule in using}
    for trace in traces:
        own = [rule for rule in using if rule.function.__module__ == trace.module]
        if own and said_of(trace, [changed[rule] for rule in own]) != _written_of(trace, own):
            return trace.name
    return NOBODY


def _written_of(trace: LiteralTrace, rules: Sequence[Definition]) -> tuple[Said, Said]:
    """The expected judgements of these rules alone, from the file."""
    names = {rule.name for rule in rules}
    kept, violated = (
        {name: events for name, events in said.items() if name in names} for said in (trace.kept, trace.violated)
    )
    return kept, violated
