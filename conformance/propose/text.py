"""Renders a proposal as Python in the form of `model/built`, to be read, named and accepted by hand."""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from types import ModuleType
from typing import Any

from tidegate.conformance.propose.grammar import Candidate, Target, name_of
from tidegate.conformance.propose.search import Found, Step, rests_on
from tidegate.model.language.linker import Rule, assigned_in
from tidegate.model.language.rule import Definition, definition_of
from tidegate.record.report import Check

INDENT = "    "


def text_of(found: Found, report: str, version: str) -> str:
    """The module with the proposed replacements; `report` is the folder of the report.

    A share of a field is written with `//`, which the rule language does not have: a person must rewrite that rule as a
    comparison of products before the module can be used.
    """
    rules = [target for target in found.replaced if not isinstance(target, tuple)]
    parts = [
        f'"""Proposed from the report {report}. Each replacement is to be judged, named and worded by hand."""',
        "\n".join(_imports(found, rules)),
        *("\n".join(_function(target, found)) for target in rules),
        "\n".join(_profile(found, report, version)),
    ]
    return "\n\n\n".join(parts) + "\n"


def _imports(found: Found, rules: Sequence[Rule]) -> Iterator[str]:
    names: dict[str, set[str]] = {}
    for target in rules:
        for module, name in _used(_definition(found.replaced[target])):
            names.setdefault(module, set()).add(name)
    for value in found.replaced.values():
        if is_dataclass(value) and not isinstance(value, type):
            names.setdefault(type(value).__module__, set()).add(type(value).__name__)
    yield "from tidegate.model.built.profile import Evidence, Profile, Replacement, as_built"
    modules = sorted({name_of(target).partition(":")[0] for target in found.replaced})
    for module in modules:
        package, _, last = module.rpartition(".")
        yield f"from {package} import {last} as {_alias(module)}"
    for module, used in sorted(names.items()):
        yield f"from {module} import {', '.join(sorted(used))}"


def _used(definition: Definition) -> Iterator[tuple[str, str]]:
    """The global names in the body and annotations of a rule, each with the module that it comes from."""
    function = definition.function
    home = inspect.getmodule(function) or sys.modules[function.__module__]
    nodes: list[ast.AST] = [*definition.body, *_annotations(function)]
    for node in (each for part in nodes for each in ast.walk(part)):
        if isinstance(node, ast.Name) and node.id not in definition.local_names and node.id in definition.scope:
            yield _home_of(definition.scope[node.id], node.id, home), node.id


def _annotations(function: Rule) -> Iterator[ast.expr]:
    for annotation in function.__annotations__.values():
        yield ast.parse(_shown(annotation), mode="eval").body


def _home_of(value: Any, name: str, home: ModuleType) -> str:
    if name in assigned_in(home):
        return home.__name__
    return getattr(value, "__module__", None) or home.__name__


def _function(target: Rule, found: Found) -> Iterator[str]:
    definition = _definition(found.replaced[target])
    function = definition.function
    hints = {name: _shown(kind) for name, kind in function.__annotations__.items()}
    parameters = ", ".join(f"{name}: {hints[name]}" for name in definition.parameters)
    yield "@as_built"
    yield f"def {_name(target)}({parameters}) -> {hints['return']}:"
    if any(isinstance(node, ast.FloorDiv) for part in definition.body for node in ast.walk(part)):
        yield f"{INDENT}# the rule language has no division: write this as a comparison of products"
    changes = [change for step in found.steps for change in step.changes if change.target is target]
    yield f'{INDENT}"""{definition.rule_id}: as documented, but for what the comment names."""'
    for change in changes:
        yield f"{INDENT}# {_one_line(change.now)} in place of {_one_line(change.was)}"
    for part in definition.body:
        for line in ast.unparse(part).splitlines():
            yield f"{INDENT}{line}"


def _profile(found: Found, report: str, version: str) -> Iterator[str]:
    yield "PROPOSED = Profile("
    yield f"{INDENT}{_quoted(report)},"
    yield f"{INDENT}("
    for target, instead in found.replaced.items():
        steps = [(change, step) for step in found.steps for change in step.changes if change.target == target]
        yield from (
            f"{INDENT * 2}{line}" for line in _replacement(target, instead, steps, found.failing, report, version)
        )
    yield f"{INDENT}),"
    yield ")"


def _replacement(
    target: Target,
    instead: object,
    steps: Sequence[tuple[Candidate, Step]],
    failing: Mapping[str, Check],
    report: str,
    version: str,
) -> Iterator[str]:
    module, _, name = name_of(target).partition(":")
    yield "Replacement("
    if isinstance(target, tuple):
        yield f"{INDENT}({_alias(module)}, {_quoted(name)}),"
        yield f"{INDENT}{instead!r},"
    else:
        yield f"{INDENT}{_alias(module)}.{name},"
        yield f"{INDENT}{_name(target)},"
    yield f"{INDENT}since={_quoted(version)},"
    yield f"{INDENT}until={_quoted(version)},"
    yield f"{INDENT}evidence=("
    for check in dict.fromkeys(check for _, step in steps for check in step.explains):
        yield f"{INDENT * 2}Evidence({_quoted(report)}, {_quoted(check)}, {_quoted(failing[check].seen)}),"
    yield f"{INDENT}),"
    for change, _ in steps:
        if check := rests_on(change):
            yield f"{INDENT}# rests on one check: {change.now} was shown by {check} alone"
    if isinstance(target, tuple):
        yield f"{INDENT}says={_quoted('; '.join(change.now for change, _ in steps))},"
    yield "),"


def _definition(rule: object) -> Definition:
    definition = definition_of(rule)
    assert definition is not None
    return definition


def _name(target: Rule) -> str:
    return f"{target.__name__}_as_built"


def _alias(module: str) -> str:
    """A name for the module that no rule or parameter has."""
    return f"{module.rpartition('.')[2]}_rules"


def _shown(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    text = inspect.formatannotation(annotation) if isinstance(annotation, type) else str(annotation)
    return re.sub(r"[\w.]+\.(\w+)", r"\1", text)


def _quoted(text: str) -> str:
    """The text as a Python literal in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())
