"""The verdicts of the committed reports on a rule, in every version that was judged by it."""

import re
from collections.abc import Iterator
from functools import cache

from generate.implementations import committed
from generate.markup import boxed, literal, table
from generate.report_pages import page_of
from tidegate.catalogue import Rule
from tidegate.conformance.proofs.as_built import replaced
from tidegate.conformance.report import view
from tidegate.conformance.report.matrix import Cell, Column, Line
from tidegate.model.built.profiles import PROFILES
from tidegate.pages.signs import SIGNS
from tidegate.record.verdict import Verdict

BUILT = "/brokers/as-built"
HEADS = ("verdict", "versions", "seen")
NOT_TRIED = re.compile(r"\d+(?= conditions not tried)")
Group = list[tuple[Cell, Column]]
"""Versions with the same verdict and figures; the numbers of conditions that were not tried may differ."""


def of_rule(rule: Rule) -> str:
    """The verdicts, with versions of one verdict and figures in one row; a sentence if no version claims the rule."""
    line = _lines().get(rule.id)
    if line is None or not line.claimed:
        return "No released version that was run claims this rule."
    rows = [(_verdict(group), _versions(line.rule, group), _seen(group)) for group in _groups(line)]
    if not any(seen for _, _, seen in rows):
        return boxed("verdicts", table(HEADS[:2], [row[:2] for row in rows]))
    return boxed("verdicts", table(HEADS, rows))


def deviations(rule: str) -> Iterator[tuple[str, str]]:
    """The versions that deviate from a rule, as links to their reports, with what was seen of each."""
    line = _lines().get(rule)
    for group in _groups(line) if line is not None else ():
        cell, _ = group[0]
        if cell.verdict in view.NOT_GREEN and cell.gist:
            yield _versions(rule, group), _seen(group).replace("<br>", "; ")


@cache
def _lines() -> dict[str, Line]:
    return {line.rule: line for line in committed().lines}


def _groups(line: Line) -> list[Group]:
    """Versions with the same verdict and figures, in the order of the matrix; violations first."""
    groups: dict[tuple[str, tuple[str, ...]], Group] = {}
    for cell, column in zip(line.cells, committed().columns, strict=True):
        if cell.verdict not in (None, Verdict.NOT_CLAIMED):
            groups.setdefault((NOT_TRIED.sub("", cell.words), cell.gist), []).append((cell, column))
    return sorted(groups.values(), key=lambda group: group[0][0].verdict not in view.NOT_GREEN)


def _verdict(group: Group) -> str:
    cell, _ = group[0]
    assert cell.verdict is not None
    numbers = sorted({int(found[0]) for each, _ in group if (found := NOT_TRIED.search(each.words))})
    words = NOT_TRIED.sub(f"{numbers[0]} to {numbers[-1]}", cell.words) if numbers[1:] else cell.words
    css_class = cell.verdict.replace(" ", "-")
    return f'<strong class="{css_class}">{SIGNS[cell.verdict]} {words}</strong>'


def _versions(rule: str, group: Group) -> str:
    """The versions, each a link to the rule in its report; a modelled one also links to its page as built."""
    return ", ".join(_version(rule, column) for _, column in group)


def _version(rule: str, column: Column) -> str:
    report = f"/{page_of(column.source)}#{view.anchor(column.profile, rule)}"
    built = f" ([as built]({BUILT}/{column.source}.md))" if _is_modelled(rule, column) else ""
    return f"[{literal(column.label)}]({report}){built}"


def _is_modelled(rule: str, column: Column) -> bool:
    """Whether the page of the version as built has a replacement of the rule."""
    return column.source in PROFILES and rule in _replaced(column.source)


@cache
def _replaced(name: str) -> frozenset[str]:
    return frozenset(_rules_of(name))


def _rules_of(name: str) -> Iterator[str]:
    for _, changed in replaced(PROFILES[name]):
        yield from (one.rule.rule_id for one in changed if one.rule.rule_id)


def _seen(group: Group) -> str:
    """The figures, each once: two checks of a rule often see the same."""
    cell, _ = group[0]
    return "<br>".join(literal(words) for words in dict.fromkeys(cell.gist))
