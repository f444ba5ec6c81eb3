"""Counts how often each rule stands in each form, from the forms themselves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

import pytest

from tidegate.catalogue import catalogue
from tidegate.catalogue.formula import resolve
from tidegate.conformance.feature_files import scenarios
from tidegate.model.traces.log_rules import OF_LOGS
from tidegate.model.traces.run_rules import OF_RUNS


def forms() -> Mapping[str, Mapping[str, int]]:
    """For each form, the number of its instances by rule id; needs the extra `proofs`."""
    from tidegate.conformance import proofs, vectors

    tagged = [(rule, scenario) for scenario in scenarios() for rule in scenario.rules]
    return {
        "definition": Counter(rule.id for rule in catalogue().values() if _is_defined(rule.defined_by)),
        "proof": proofs.served(),
        "scenario": Counter(rule for rule, _ in tagged),
        "three-points": Counter(rule for rule, scenario in tagged if scenario.has_three_points),
        "vectors": vectors.served(),
        "stateful": Counter(_stateful()),
        "trace": Counter(rule.rule_id for rule in OF_RUNS),
        "log": Counter(rule.rule_id for rule in OF_LOGS),
    }


def _is_defined(defined_by: str | None) -> bool:
    return defined_by is not None and resolve(defined_by) is not None


def _stateful() -> Iterator[str]:
    module = import_module("tidegate.conformance.suite.test_stateful")
    for name, test in vars(module).items():
        if name.startswith("test_"):
            yield from (mark.args[0] for mark in _marks(test) if mark.name == "rule")


def _marks(test: object) -> Iterable[pytest.Mark]:
    marks: Iterable[pytest.Mark] = getattr(test, "pytestmark", ())
    return marks
