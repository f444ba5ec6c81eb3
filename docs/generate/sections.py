"""The text after a rule's sentence on its page: its facts, its formula, and its other forms."""

import inspect
import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from generate import settings, verdicts
from generate.evidence import evidence
from generate.markup import boxed, code, fence, folded, paragraphs, table
from tidegate.catalogue import Rule
from tidegate.catalogue.formula import formula, resolve
from tidegate.catalogue.obligations import owed
from tidegate.conformance.proofs.solver import Result
from tidegate.conformance.vectors.form import Vector
from tidegate.model.language.message_text import Message
from tidegate.model.language.rule import Definition
from tidegate.record.counts import counted, in_singular


def facts(rule: Rule) -> str:
    """The fields of the rule's yaml block as a table, its definition as a formula, and its verdicts."""
    sources = [f"[{at.document}](/sources.md#document-{at.document}), {at.section}" for at in rule.sources]
    rows = [
        ("level", rule.level),
        ("category", f"[{rule.category}](/spec/index.md#what-a-rule-owes), so it owes {', '.join(owed(rule))}"),
        ("needs", ", ".join(map(code, rule.needs)) or "only the verbs that every adapter has"),
        ("since", ", ".join(f"{part} {version}" for part, version in rule.since.items())),
        ("source", "; ".join(sources) or "our own"),
        ("defined by", code(rule.defined_by) if rule.defined_by else "other rules together"),
        ("with the steps", ", ".join(map(code, rule.steps))),
        *((f"waives {form}", reason) for form, reason in rule.waives.items()),
        ("speaks of", ", ".join(rule.speaks_of)),
        ("settings", settings.named_in(rule)),
    ]
    listed = boxed("facts", table(["fact", "value"], [row for row in rows if row[1]]))
    shown = definition(rule.defined_by) if rule.defined_by else ""
    return paragraphs(listed, boxed("formula", fence(shown)) if shown else "", verdicts.of_rule(rule))


def definition(defined_by: str) -> str:
    """The definition of a rule: a formula, or the template of a log message."""
    found = resolve(defined_by)
    if isinstance(found, Message):
        return f"{found.code} : {found.text}"
    return "\n".join(map(str, formula(defined_by)))


def other_forms(rule: Rule) -> str:
    """Scenarios, theorems, refuted claims, trace rules and vectors of a rule, folded."""
    found = evidence()[rule.id]
    examples = sum(scenario.examples for scenario in found.scenarios)
    scenarios = "\n\n".join(fence(in_singular(scenario.text), "gherkin") for scenario in found.scenarios)
    checks = [
        _block("example", counted(examples, "examples") + " on every implementation that claims the rule", scenarios),
        _block("success", f"{counted(len(found.theorems), 'theorems')} proved", claims(found.theorems)),
        _block(
            "failure",
            f"{counted(len(found.refutations), 'claims')} that must be refuted, and the smallest counterexample",
            claims(found.refutations),
        ),
        _block("abstract", f"{counted(len(found.traces), 'rules')} over the trace of a run", sources(found.traces)),
        _block("abstract", f"{counted(len(found.logs), 'rules')} over a broker's log", sources(found.logs)),
        _block("info", counted(len(found.vectors), "boundary vectors"), vectors(found.vectors)),
    ]
    return boxed("forms", paragraphs(*checks))


def claims(results: Sequence[Result]) -> str:
    """A list of claims."""
    return "\n".join(f"- **{result.claim.id}** {what_it_says(result)}" for result in results)


def what_it_says(result: Result) -> str:
    """A claim as a sentence, with its docstring; a refuted claim also with the reason and the counterexample."""
    claim = result.claim
    lines = [f"{_sentence(claim.sentence)}.", _sentence(claim.definition.sentence)]
    if not claim.is_theorem:
        lines.append(f"False, because {claim.because}: `{result.shown}`")
    return "  \n    ".join(lines)


def sources(rules: Sequence[Definition]) -> str:
    """The source texts of trace rules."""
    return "\n\n".join(fence(textwrap.dedent(inspect.getsource(rule.function)), "python") for rule in rules)


def vectors(cases: Sequence[Vector]) -> str:
    """A table of vectors: the comparison, the figures, and the rule's answer."""
    sides = {-1: "below", 0: "at", 1: "above"}
    rows = [
        (code(case.boundary), sides[case.distance], code(_figures(case.given)), code(json.dumps(case.expect)))
        for case in cases
    ]
    return table(["boundary", "side", "given", "the rule says"], rows) if rows else ""


def _figures(given: Mapping[str, Any]) -> str:
    return json.dumps(given).replace('"', "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _block(kind: str, title: str, content: str) -> str:
    return folded(kind, title, content) if content else ""
