"""The digest of readers covers their sources and what they take from the model, and no rule."""

import ast
from dataclasses import replace
from types import ModuleType

import pytest

from tidegate.model.language.rule import Definition
from tidegate.pipeline import versions
from tidegate.pipeline.forms import LOG_FORMS, artemis
from tidegate.pipeline.read import fast, line_form
from tidegate.pipeline.versions import reader_set

RULES = LOG_FORMS["artemis log"].rules


@pytest.fixture(autouse=True)
def forgotten() -> None:
    reader_set.cache_clear()


def rewritten(definition: Definition, old: str, new: str) -> Definition:
    """The definition with another text in its body."""
    text = "\n".join(ast.unparse(statement) for statement in definition.body)
    assert old in text
    return definition.with_body(tuple(ast.parse(text.replace(old, new)).body))


@pytest.mark.parametrize("changed", [line_form, fast], ids=lambda module: module.__name__.rpartition(".")[2])
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
