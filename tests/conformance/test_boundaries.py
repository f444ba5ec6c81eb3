"""The boundaries of a behaviour, as the examples of a scenario show them."""

from pathlib import Path

import pytest

from tidegate.catalogue import catalogue
from tidegate.conformance.report.boundaries import boundaries
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.verdicts import judge
from tidegate.record.report import Check, CheckKind, CheckResult, RuleVerdict

ARTEMIS = Path(__file__).parents[2] / "reports" / "artemis-2.44.0" / "report.json"
KEPT, VIOLATED, UNKNOWN = CheckResult.KEPT, CheckResult.VIOLATED, CheckResult.UNKNOWN


def example(size: int, state: str, seen: str, result: CheckResult = KEPT, name: str = "overfull") -> Check:
    done = (
        "Given a queue with a capacity of 1000 bytes",
        f"When a producer sends a message of {size} bytes",
        f"Then the producer is {state}",
    )
    expected = f"the producer {state} at {size:,} bytes"
    return Check(f"{name}[{size}-{state}]", CheckKind.SCENARIO, result, ("QPID-QUEUE-1",), done, expected, seen, "")


def verdict(*checks: Check) -> RuleVerdict:
    return judge(catalogue()["QPID-QUEUE-1"], checks, ("queue-gate",))


AS_DOCUMENTED = (
    example(999, "free", "the producer free at 999 bytes"),
    example(1000, "free", "the producer free at 1,000 bytes"),
    example(1001, "stopped", "the producer stopped at 1,001 bytes"),
)


@pytest.mark.parametrize(
    ("checks", "shown"),
    [
        (AS_DOCUMENTED, "free at 1,000 → stopped at 1,001"),
        (
            (
                AS_DOCUMENTED[0],
                example(1000, "free", "the producer stopped at 1,000 bytes", VIOLATED),
                AS_DOCUMENTED[2],
            ),
            "free at 999 → stopped at 1,000 ✗",
        ),
        (
            (*AS_DOCUMENTED[:2], example(1001, "stopped", "the producer free at 1,001 bytes", VIOLATED)),
            "free at 999, 1,000, 1,001 ✗",
        ),
        (
            (*AS_DOCUMENTED[:2], example(1001, "stopped", "the broker is gone", UNKNOWN)),
            "free at 1,000 → ? at 1,001",
        ),
        (AS_DOCUMENTED[1:], None),
        (tuple(example(size, "free", "the producer free") for size in (1, 2, 3)), None),
    ],
)
def test_the_points_between_which_it_changes(checks: tuple[Check, ...], shown: str | None) -> None:
    assert [str(each) for each in boundaries(verdict(*checks))] == ([shown] if shown else [])


def test_several_runs_of_an_example_are_one_point_and_the_worst_of_them() -> None:
    again = example(1000, "free", "the producer stopped at 1,000 bytes", VIOLATED)
    (found,) = boundaries(verdict(*AS_DOCUMENTED, *AS_DOCUMENTED[:1], again))
    assert str(found) == "free at 999 → stopped at 1,000 ✗"
    assert found.deviates and len(found.points) == 3


def test_each_scenario_of_a_rule_is_a_boundary_of_its_own() -> None:
    other = tuple(
        example(size, state, f"the producer {state} at {size} bytes", name="of_topics")
        for size, state in ((1, "free"), (2, "stopped"), (3, "stopped"))
    )
    mixed = [check for pair in zip(AS_DOCUMENTED, other, strict=True) for check in pair]
    assert [str(each) for each in boundaries(verdict(*mixed))] == [
        "free at 1,000 → stopped at 1,001",
        "free at 1 → stopped at 2",
    ]


def test_the_figures_of_a_real_run() -> None:
    found = {
        one.rule: [str(each) for each in boundaries(one)] for one in read_report(ARTEMIS).implementations[0].verdicts
    }
    assert found["ARTEMIS-BLOCK-1"] == ["100 issued at 999 → 0 issued at 1,000"]
    assert found["ARTEMIS-AMQP-9"] == ["accepted at 2,000 ✗ → rejected at 2,001"]
