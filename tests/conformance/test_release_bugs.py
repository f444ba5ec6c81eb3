"""Every release bug still applies to the source that it changes, and the right modules stay as they are."""

from pathlib import Path

import pytest

from benchmarks.first_message import run, table, told
from tests.conformance.release_bugs import Bug, bugs
from tests.sample import sampled
from tidegate.adapters.base import Adapter, Limits
from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.model.mechanisms import qpid
from tidegate.record.report import CheckKind

ENOUGH = 80


def test_there_are_enough_of_them_and_none_twice() -> None:
    assert len({bug.text for bug in bugs()}) == len(bugs()) >= ENOUGH


@pytest.mark.parametrize("bug", sampled(bugs(), 20, name=lambda bug: bug.text), ids=lambda bug: bug.text)
def test_a_bug_makes_a_broker_and_names_rules_that_exist(bug: Bug) -> None:
    broker = bug.make()
    assert isinstance(broker, Adapter)
    assert bug.breaks and set(bug.breaks) <= catalogue().keys()
    assert type(broker) is not type(resolve(bug.adapter)[bug.adapter]())


def test_a_change_that_does_not_fit_the_source_is_refused() -> None:
    bug = Bug(
        "a bug",
        "reference:qpid-0.18",
        ("QPID-QUEUE-1",),
        "model/mechanisms/qpid.py",
        ("return 0 == 1",),
        ("return True",),
    )
    with pytest.raises(ValueError, match=r"a bug: model/mechanisms/qpid\.py has 'return 0 == 1' 0 times"):
        bug.make()


def test_the_broker_is_changed_and_what_judges_it_is_not() -> None:
    stops_late = next(bug for bug in bugs() if bug.text == "an unconfigured queue has a capacity of one MiB")
    broker = stops_late.make()
    broker.declare("queue", Limits())
    assert broker.limits_in_force("queue").limit_bytes == 1048576  # type: ignore[attr-defined]
    assert qpid.effective_capacity(qpid.NOT_SET) == qpid.NO_LIMIT


def test_the_benchmark_says_what_is_told_first_of_one(tmp_path: Path) -> None:
    bug = next(bug for bug in bugs() if bug.text == "a client says once that it waits")
    run(bug, tmp_path / "report.json")
    found = told(bug, tmp_path / "report.json")
    assert found.first and found.anywhere and found.kind is CheckKind.SCENARIO
    assert list(table([found]))[-1] == "| all | 1 | 1 (100%) | 1 (100%) | 0 (0%) | 1 (100%) |"
