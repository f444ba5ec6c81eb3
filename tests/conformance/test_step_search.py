"""The search for the function of a step: once for each text, for all scenarios that have the text."""

from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance import step_search
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection


def test_each_text_is_searched_for_once_and_the_next_session_searches_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []
    search = step_search.EXECUTION.find_fixturedefs_for_step

    def noting(step, fixturemanager, node):
        asked.append((step.type, step.name))
        return search(step, fixturemanager, node)

    monkeypatch.setattr(step_search, "_search", noting)
    overfull = Selection(rules=("QPID-QUEUE-7",))
    first = run_suite({"right": QpidReference}, needs_of, tmp_path, selection=overfull).subjects[0].checks
    once = list(asked)
    assert len(once) == len(set(once)) > 1
    assert sum(len(check.done) for check in first) > len(once)
    second = run_suite({"right": QpidReference}, needs_of, tmp_path, selection=overfull).subjects[0].checks
    assert asked == once * 2
    assert [(check.check, check.result) for check in first] == [(check.check, check.result) for check in second]
    assert step_search.EXECUTION.find_fixturedefs_for_step is search
