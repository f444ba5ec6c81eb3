"""The digest of readers covers their sources and what they take from the model, and no rule."""

from dataclasses import replace
from types import ModuleType

import pytest

from tidegate.pipeline import versions
from tidegate.pipeline.ingest import line_form
from tidegate.pipeline.ingest.loops import patterns
from tidegate.pipeline.versions import reader_set


@pytest.fixture(autouse=True)
def forgotten() -> None:
    reader_set.cache_clear()


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
    assert {"tidegate.pipeline.ingest.qpid_log", "tidegate.record.events"} <= sources
    assert [name for name in sources if name.startswith("tidegate.model")] == []


def test_a_changed_text_of_a_log_message_is_a_changed_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    from tidegate.pipeline.ingest import qpid_log

    before = reader_set()
    monkeypatch.setattr(qpid_log, "CHANNEL_RELEASED", replace(qpid_log.CHANNEL_RELEASED, text="Flow Control Gone"))
    reader_set.cache_clear()
    assert reader_set() != before
