"""From the modules of the suite to items of somebody else's session."""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

from tidegate.conformance import plugin
from tidegate.conformance.findings import Deviation
from tidegate.conformance.session import KIND_OF_MODULE, check_kind_of, needs_of, rules_of
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import claimed_trace_rules
from tidegate.plugins.gate import CHECK, Gate
from tidegate.record.report import CheckResult

SUITE = "tidegate.conformance.suite"


class SuiteModule(pytest.Module):
    """A module of the suite, imported by its name: the project's import path stays as it is."""

    def _getobj(self) -> ModuleType:
        return import_module(f"{SUITE}.{self.path.stem}")


class TraceItem(pytest.Item):
    """One trace rule over the trace of the run so far."""

    def __init__(self, gate: Gate, subject: Subject, rule: str, check: str, **kwargs: object):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self._gate, self._subject, self._check = gate, subject, check
        self.add_marker(pytest.mark.rule(rule))

    def runtest(self) -> None:
        check = self._gate.trace_check(self._subject, self._check)
        if check is None:
            pytest.skip("it judges no event of this run")
        self.stash[CHECK] = check
        if check.result is CheckResult.VIOLATED:
            raise Deviation(check.expected, check.seen)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self._subject.trace_path, None, self.name


def collected(session: pytest.Session, gate: Gate) -> Iterator[pytest.Item]:
    """Every item of a rule that the implementation claims: checks first, then the trace that they wrote."""
    session.config.stash[plugin.CONFORMANCE] = gate.conformance
    session.config.pluginmanager.register(plugin, "tidegate-conformance")
    for stem in KIND_OF_MODULE:
        path = Path(str(files("tidegate.conformance"))) / "suite" / f"{stem}.py"
        module = SuiteModule.from_parent(session, path=path, name=stem, nodeid=f"tidegate/{stem.removeprefix('test_')}")
        for item in session.genitems(module):
            subject, rules, check = plugin.subject_of(item), rules_of(item), plugin.check_of(item)
            if gate.conformance.selects(subject, rules, check, check_kind_of(item), needs_of(item)):
                item.add_marker(pytest.mark.filterwarnings("default"))
                yield _expected(item, gate, subject, rules)
    for subject in gate.conformance.subjects:
        for definition in claimed_trace_rules(partial(gate.conformance.claims, subject)):
            trace = TraceItem.from_parent(
                session, name=definition.name,
                nodeid=f"tidegate/trace::{definition.name}[{subject.name}]",
                gate=gate, subject=subject, rule=definition.rule_id, check=f"trace:{definition.name}",
            )  # fmt: skip
            yield _expected(trace, gate, subject, (definition.rule_id,))


def _expected(item: pytest.Item, gate: Gate, subject: Subject, rules: tuple[str, ...]) -> pytest.Item:
    """The item with its rules: `-k` finds it by each of them, and JUnit has them as properties."""
    item.user_properties += [("rule", rule) for rule in rules]
    item.extra_keyword_matches.update(rules)
    gate.expect(item, subject)
    return item
