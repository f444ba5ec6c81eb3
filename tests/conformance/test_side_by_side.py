"""A run on several implementations at once finds what runs one by one find, and ends on the same errors."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Adapter, AdapterError, Standing
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.assembly import reports_of
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.side_by_side import Outcome, outcome_of
from tidegate.record.errors import BadInput, Unavailable
from tidegate.record.report import Check, CheckResult

CHECK = "a_queue_is_overfull_only_above_its_capacity[1001-stopped]"


class StopsNobody(QpidReference):
    def standing(self, producer: str) -> Standing:
        return Standing(stopped=False)


class DoesNotStart(QpidReference):
    def start(self) -> None:
        raise AdapterError("no port is free")


class ClaimsNothing(QpidReference):
    capabilities = frozenset()


def on(
    factories: Mapping[str, Callable[[], Adapter]], folder: Path, jobs: int, checks: tuple[str, ...] = (CHECK,)
) -> Outcome:
    selection = Selection(checks=checks)
    run = partial(run_suite, needs=needs_of, folder=folder, selection=selection)
    reports = partial(
        reports_of, known=(), whole=False, today=date(2026, 11, 29), attribute=lambda report, judged: report
    )
    return outcome_of(factories, folder, selection, run, reports, jobs)


def results(outcome: Outcome) -> dict[str, list[tuple[str, CheckResult]]]:
    def of(checks: tuple[Check, ...]) -> list[tuple[str, CheckResult]]:
        return [(check.check, check.result) for check in checks]

    return {
        report.implementation.profile: [one for verdict in report.verdicts for one in of(verdict.checks)]
        for report in outcome.reports
    }


def test_each_implementation_has_the_results_of_a_run_one_by_one(tmp_path: Path) -> None:
    factories = {"wrong": StopsNobody, "right": QpidReference}
    at_once, in_turn = (on(factories, tmp_path / str(jobs), jobs) for jobs in (2, 1))
    assert results(at_once) == results(in_turn)
    assert list(results(at_once)) == ["wrong", "right"]
    of_wrong, of_right = results(at_once).values()
    assert CheckResult.VIOLATED in dict(of_wrong).values()
    assert set(dict(of_right).values()) == {CheckResult.KEPT}
    files = [ElementTree.parse(tmp_path / folder / "junit.xml") for folder in ("2", "1")]
    cases = [sorted(case.attrib["name"] for case in file.findall(".//testcase")) for file in files]
    assert cases[0] == cases[1]
    assert {name.partition("[")[2].partition("#")[0] for name in cases[0]} == {"wrong", "right"}
    assert [file.name for file in (tmp_path / "2").glob("*junit.xml")] == ["junit.xml"]


def test_an_implementation_without_a_check_leaves_the_others(tmp_path: Path) -> None:
    outcome = on({"none": ClaimsNothing, "right": QpidReference}, tmp_path, 2)
    assert results(outcome)["right"]
    assert not results(outcome)["none"]


def test_nothing_selected_is_one_sentence_with_the_nearest_name(tmp_path: Path) -> None:
    wrong = CHECK.replace("overfull", "overful")
    with pytest.raises(BadInput, match="no check was selected"):
        on({"one": QpidReference, "other": QpidReference}, tmp_path, 2, (wrong,))


def test_an_implementation_that_does_not_start_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="ill did not start: no port is free"):
        on({"right": QpidReference, "ill": DoesNotStart}, tmp_path, 2)
    assert not list(tmp_path.glob("*.xml"))
