"""Each broken implementation violates the rule that it breaks, in few steps, and the right one violates none.

The other way round, some broken implementation must fail each scenario.
"""

import json
import pkgutil
from importlib import import_module
from inspect import isabstract
from pathlib import Path

import pytest

from tests import conformance as conformance_tests
from tests.conformance import broken, broken_classic, broken_messages, broken_senders
from tests.conformance.broken_by import ALSO_ASKED, BROKEN_BY
from tests.conformance.broken_run import Found, needs_of, not_failed_by, run_all
from tests.conformance.readings import TABLE
from tests.sample import sampled, wanted
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import Level, catalogue
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import Check, CheckKind, CheckResult

RIGHT = (QpidReference, ArtemisReference, ClassicReference)
CRUDE = (
    broken.RefusesTheCrossingMessage,
    broken.StopsEverybody,
    broken.IssuesCreditWhileFull,
    broken.RejectsWhatIsFull,
    broken_senders.StopsEverySender,
    broken_classic.SendsNothingSynchronously,
)
"""Implementations that break so much that they are asked every rule whose scenarios no other implementation fails.

All others are asked the rules that they are known to break.
"""
FOUND_BY_CHANCE: dict[type, tuple[str, str]] = {
    broken.DeliversTwice: ("GENERAL-2", "random_sends_and_removals_through_the_queue_gate"),
    broken_messages.StoresWhatAStoppedProducerTried: (
        "GENERAL-1",
        "random_sends_and_removals_through_the_queue_gate",
    ),
    broken.IssuesCreditWhileFull: ("ARTEMIS-AMQP-5", "random_sends_and_removals_on_amqp_credit"),
    broken.NeverIssuesAgain: ("ARTEMIS-AMQP-6", "random_sends_and_removals_on_amqp_credit"),
}
"""The implementations that random sequences find too: the rule, and the check that finds it."""
ASKED: dict[type, tuple[str, ...]] = {
    **{cls: (*rules, *ALSO_ASKED.get(cls, ())) for cls, rules in BROKEN_BY.items()},
    **dict.fromkeys(RIGHT, tuple(catalogue())),
}
"""The rules that each implementation is asked."""
REFERENCES = {cls.__module__ for cls in RIGHT}
MOST_STEPS = 8
ENOUGH = 30


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest) -> dict[type, Found]:
    """The results of each implementation that is tried in this session, on the scenarios of its asked rules."""
    return run_all({cls: ASKED[cls] for cls in wanted(request, "cls") if cls in ASKED})


@pytest.fixture(scope="module")
def everything(found: dict[type, Found]) -> dict[type, Found]:
    """The results of all implementations, on the scenarios of their asked rules."""
    return {**found, **run_all({cls: rules for cls, rules in ASKED.items() if cls not in found})}


@pytest.fixture(scope="module")
def failed(everything: dict[type, Found]) -> list[Check]:
    """The violated checks of all implementations, and of the rest those that the crude ones violate."""
    crude = run_all(dict.fromkeys(CRUDE, tuple(catalogue())), not_failed_by(everything.values()))
    return [check for each in (*everything.values(), *crude.values()) for check in each.violations]


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN_BY) >= ENOUGH


def test_no_broken_one_keeps_a_figure_under_a_name_of_its_reference() -> None:
    """The figure would replace a method or another figure, and the failure would say nothing about the broker."""
    modules = (
        import_module(each.name) for each in pkgutil.iter_modules(conformance_tests.__path__, "tests.conformance.")
    )
    brokers = {
        cls
        for module in modules
        if module.__name__.rpartition(".")[2].startswith("broken")
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, Clients) and cls.__module__ == module.__name__
        if not isabstract(cls)
    }
    assert brokers >= {cls for cls in BROKEN_BY if issubclass(cls, Clients)}
    hidden = {
        (cls.__name__, name)
        for cls in brokers
        for base in cls.__mro__[1:]
        for name, method in vars(base).items()
        if callable(method) and not callable(getattr(cls(), name))
    }
    assert hidden == set()
    replaced = {
        (cls.__name__, name)
        for cls, base in ((cls, base) for cls in brokers for base in cls.__mro__)
        if base.__module__ in REFERENCES and base.__name__.endswith("Reference") and not isabstract(base)
        for name, figure in vars(base()).items()
        if figure is not None and not isinstance(getattr(cls(), name), type(figure))
    }
    assert replaced == set()


def way(cls: type) -> tuple[str, str]:
    """The file of the broken implementation, and the chapter of the rule that it breaks first."""
    return cls.__module__, BROKEN_BY[cls][0].rpartition("-")[0]


@pytest.mark.parametrize("cls", sampled(BROKEN_BY, kind=way), ids=lambda cls: cls.__name__)
def test_a_broken_promise_is_found_in_few_steps_by_the_rule_that_makes_it(found: dict[type, Found], cls: type) -> None:
    scripts = [found[cls].shortest_script(rule) for rule in BROKEN_BY[cls]]
    assert None not in scripts
    assert scripts[0] is not None and len(scripts[0]) <= MOST_STEPS


@pytest.mark.nightly
@pytest.mark.parametrize("cls", RIGHT, ids=lambda cls: cls.__name__)
def test_the_right_one_violates_nothing(found: dict[type, Found], cls: type) -> None:
    assert found[cls].violations == ()


@pytest.mark.nightly
def test_every_rule_but_a_permission_is_broken_by_some_of_them(
    everything: dict[type, Found], failed: list[Check]
) -> None:
    owed = {rule for cls in RIGHT for check in everything[cls].checks for rule in check.rules}
    broken_ones = {rule for check in failed for rule in check.rules}
    assert {rule for rule in owed if catalogue()[rule].level is not Level.MAY} - broken_ones == set()


@pytest.mark.nightly
def test_every_scenario_but_of_a_permission_is_failed_by_some_of_them(
    everything: dict[type, Found], failed: list[Check]
) -> None:
    run = {
        check.check
        for cls in RIGHT
        for check in everything[cls].checks
        if all(catalogue()[rule].level is not Level.MAY for rule in check.rules)
    }
    told_apart = {check for checks in json.loads(TABLE.read_text(encoding="utf-8")).values() for check in checks}
    assert run - {check.check for check in failed} - told_apart == set()


def test_a_permission_that_is_not_used_is_seen_as_such(tmp_path: Path) -> None:
    strict = {"strict": broken.RejectsWhatIsFull}
    permission = Selection(rules=("ARTEMIS-AMQP-7",), kinds=(CheckKind.SCENARIO,))
    checks = run_suite(strict, needs_of, tmp_path, selection=permission).subjects[0].checks
    assert [check.result for check in checks] == [CheckResult.NOT_USED]


@pytest.mark.parametrize(
    ("cls", "rule", "check"),
    [(cls, *expected) for cls, expected in FOUND_BY_CHANCE.items()],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_random_sequences_find_it_too_and_shrink_it(cls: type, rule: str, check: str, tmp_path: Path) -> None:
    chance = Selection(checks=(check,), kinds=(CheckKind.STATEFUL,))
    conformance = run_suite({cls.__name__: cls}, needs_of, tmp_path, selection=chance, judge_traces=False)
    violations = [check for check in conformance.subjects[0].checks if check.result is CheckResult.VIOLATED]
    scripts = [check.done for check in violations if rule in check.rules]
    assert scripts
    assert min(map(len, scripts)) <= MOST_STEPS


def test_a_broker_that_dies_leaves_what_was_not_judged_unknown_and_the_run_goes_on(tmp_path: Path) -> None:
    overfull = Selection(rules=("QPID-QUEUE-7",), kinds=(CheckKind.SCENARIO,))
    dying = {"dying": broken.DiesAtMessagesOf500Bytes}
    subject = run_suite(dying, needs_of, tmp_path, selection=overfull).subjects[0]
    results = {check.check: check for check in subject.checks if check.kind is CheckKind.SCENARIO}
    unjudged = [name for name, check in results.items() if check.result is CheckResult.UNKNOWN]
    assert unjudged == ["whoever_sends_to_an_overfull_queue_is_stopped_by_it[500]"]
    assert results[unjudged[0]].seen == "the broker is gone"
    assert len(subject.restarts) == 1
    assert {check.result for name, check in results.items() if name not in unjudged} == {CheckResult.KEPT}
