"""Renders the output of `tidegate built propose`."""

from collections.abc import Iterator

from tidegate.catalogue.formula import Line, formula_of
from tidegate.conformance.propose.grammar import Candidate, Target
from tidegate.conformance.propose.search import Found, Step, linker_of, rests_on
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.language.rule import definition_of
from tidegate.record.counts import counted

MOST_AS_GOOD = 3
"""The most equivalent candidates that are named."""


def page(found: Found) -> Iterator[str]:
    """The lines about the result: each change, the unexplained checks, and what was not tried."""
    yield (
        f"{len(found.failing)} of {found.checks} checks end otherwise than by the documents; "
        f"explained: {len(found.explained)}, changes: {len(found.changes)}"
    )
    if found.not_run:
        checks = counted(len(found.not_run), "checks")
        yield f"left out: {checks} that the profile has not, or that one side has no result of"
    replaced: dict[Target, object] = {}
    for step in found.steps:
        yield ""
        yield from _step(step, replaced)
        replaced.update({change.target: change.instead for change in step.changes})
    yield ""
    yield f"unexplained: {counted(len(found.unexplained), 'checks')}"
    for name in found.unexplained:
        yield f"- {name} ({found.failing[name].seen})"
    for sentence in found.not_tried:
        yield f"not tried: {sentence}"
    yield f"{found.tried} candidates were tried in {found.seconds:.0f} s"


def _step(step: Step, replaced: dict[Target, object]) -> Iterator[str]:
    model = linker_of({**replaced, **{change.target: change.instead for change in step.changes}})
    for change in step.changes:
        yield f"{change.name}: {_told(change)}"
        yield from _forms(change, model)
        if check := rests_on(change):
            yield f"    rests on one check: nothing but {check} shows its constant"
    if len(step.changes) > 1:
        yield "    together, for each alone contradicts a check that agrees"
    yield f"    explains {len(step.explains)}: {', '.join(step.explains)}"
    for others in step.as_good[:MOST_AS_GOOD]:
        yield f"    as good: {' and '.join(f'{other.name}: {_told(other)}' for other in others)}"
    if len(step.as_good) > MOST_AS_GOOD:
        yield f"    as good: {len(step.as_good) - MOST_AS_GOOD} more"


def _forms(change: Candidate, model: Linker) -> Iterator[str]:
    target = change.target
    if isinstance(target, tuple):
        module, name = target
        yield f"    as documented: {getattr(module, name)!r}"
        yield f"    as proposed:   {change.instead!r}"
    else:
        yield from (f"    as documented: {line}" for line in _formula(DOCUMENTED, target))
        yield from (f"    as proposed:   {line}" for line in _formula(model, target, change.instead))


def _formula(model: Linker, target: object, instead: object = None) -> tuple[Line | str, ...]:
    """The formula of a rule, or its body if the notation has no form for a part of it."""
    definition = definition_of(model.linked(target))  # type: ignore[type-var]
    assert definition is not None
    try:
        return formula_of(definition)
    except (KeyError, NotImplementedError, SyntaxError, TypeError):
        import ast

        changed = definition_of(instead)
        return tuple(ast.unparse(part) for part in changed.body) if changed is not None else ()


def _told(candidate: Candidate) -> str:
    return f"{_one_line(candidate.was)} → {_one_line(candidate.now)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
