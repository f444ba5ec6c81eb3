"""The digest of rules covers what they say and whatever they call; that of readers covers no rule."""

import ast
from dataclasses import replace
from types import ModuleType

import pytest

from tidegate.model.language import past
from tidegate.model.language.past import OPERATORS, Operator
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.traces import artemis_log_trace
from tidegate.pipeline import versions
from tidegate.pipeline.forms import LOG_FORMS, TRACE, artemis
from tidegate.pipeline.ingest import line_form
from tidegate.pipeline.ingest.loops import patterns
from tidegate.pipeline.rules import every_rule, rules_of
from tidegate.pipeline.versions import reader_set, rule_set

RULES = rules_of("artemis log")


@pytest.fixture(autouse=True)
def forgotten() -> None:
    reader_set.cache_clear()


def rewritten(definition: Definition, old: str, new: str) -> Definition:
    """The definition with another text in its body."""
    text = "\n".join(ast.unparse(statement) for statement in definition.body)
    assert old in text
    return definition.with_body(tuple(ast.parse(text.replace(old, new)).body))


def test_the_same_rules_have_the_same_digest() -> None:
    assert rule_set(RULES) == rule_set(list(RULES))
    assert rule_set(every_rule()) == rule_set(every_rule())


def test_another_rule_set_has_another_digest() -> None:
    sets = {rules_of(form) for form in (TRACE, *LOG_FORMS)} | {RULES[:1], RULES[1:]}
    assert len({rule_set(rules) for rules in sets}) == len(sets) > 5


def test_a_changed_comparison_of_a_rule_is_another_rule_set() -> None:
    changed = rewritten(RULES[0], "e.cause == BY_SIZE", "e.cause != BY_SIZE")
    assert rule_set([changed, *RULES[1:]]) != rule_set(RULES)


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (artemis_log_trace.full_by_its_figures, "blocks=True", "blocks=False"),
        (past.latest_step, "when", "not when"),
        (past.total_step, "+", "-"),
    ],
    ids=["a rule that it calls", "an operator that it uses", "another operator"],
)
def test_a_change_of_what_a_rule_calls_is_another_rule_set(
    function: object, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rule_set(RULES)
    definition = definition_of(function)
    assert definition is not None
    changed = rewritten(definition, old, new)
    monkeypatch.setattr(versions, "definition_of", lambda value: changed if value is function else definition_of(value))
    assert rule_set(RULES) != before


def test_a_changed_constant_is_another_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rule_set(RULES)
    monkeypatch.setattr(artemis_log_trace, "BY_SIZE", "volume")
    assert rule_set(RULES) != before


def test_another_initial_value_of_an_operator_is_another_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rule_set(RULES)
    monkeypatch.setitem(OPERATORS, past.latest, replace(OPERATORS[past.latest], initial=1))
    assert rule_set(RULES) != before
    assert isinstance(OPERATORS[past.latest], Operator)


@pytest.mark.parametrize("changed", [line_form, patterns], ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_changed_source_of_a_reader_is_another_reader_set(
    monkeypatch: pytest.MonkeyPatch, changed: ModuleType
) -> None:
    before = reader_set()
    source = versions._source
    monkeypatch.setattr(
        versions, "_source", lambda name: source(name) + ("\n# changed" if name == changed.__name__ else "")
    )
    reader_set.cache_clear()
    assert reader_set() != before


def test_a_changed_rule_is_no_changed_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """What readers take from modules of rules counts by its value; the sources of these modules do not."""
    sources: set[str] = set()
    source = versions._source

    def reading(name: str) -> str:
        sources.add(name)
        return source(name)

    monkeypatch.setattr(versions, "_source", reading)
    reader_set()
    assert {"tidegate.pipeline.forms.qpid", "tidegate.record.events"} <= sources
    assert [name for name in sources if name.startswith("tidegate.model")] == []
    before = reader_set()
    changed = rewritten(RULES[0], "e.cause == BY_SIZE", "e.cause != BY_SIZE")
    monkeypatch.setattr(artemis, "OF_ARTEMIS_LOGS", (changed, *RULES[1:]))
    reader_set.cache_clear()
    assert reader_set() == before


def test_a_changed_text_of_a_log_message_is_a_changed_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    from tidegate.pipeline.forms import qpid

    before = reader_set()
    monkeypatch.setattr(qpid, "CHANNEL_RELEASED", replace(qpid.CHANNEL_RELEASED, text="Flow Control Gone"))
    reader_set.cache_clear()
    assert reader_set() != before
