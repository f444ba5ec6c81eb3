"""The suite as ordinary items of pytest: `pytest --tidegate-adapter=NAME`, in whatever project.

Every pytest session with tidegate installed loads this module, so it imports nothing else until it is asked to.
"""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tidegate.plugins.gate import Gate

GATE: "pytest.StashKey[Gate]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, all of which do nothing without `--tidegate-adapter`."""
    group = parser.getgroup("tidegate", "the flow-control suite of tidegate")
    group.addoption("--tidegate-adapter", metavar="NAME", help="run the suite on this implementation too")
    group.addoption("--tidegate-report", metavar="DIR", default="tidegate-report", help="folder for its report")
    group.addoption("--tidegate-known-deviations", metavar="FILE", help="deviations that do not fail the run")
    group.addoption("--tidegate-requirements", metavar="SET", help="frozen set of rules that counts")


def pytest_configure(config: pytest.Config) -> None:
    """Find the implementation; it is started once the project's own tests are collected."""
    config.addinivalue_line("markers", "rule(id): the rule of tidegate's specification that a check serves")
    name = config.getoption("tidegate_adapter")
    if not name:
        return
    if hasattr(config, "workerinput") or config.getoption("numprocesses", None):
        raise pytest.UsageError("the suite of tidegate drives one implementation: leave -n away, or give -n 0")
    from tidegate.plugins.gate import Gate
    from tidegate.record.errors import TidegateError

    known, folder = config.getoption("tidegate_known_deviations"), Path(config.getoption("tidegate_report"))
    try:
        config.stash[GATE] = Gate(
            name, folder, Path(known) if known else None, config.getoption("tidegate_requirements")
        )  # fmt: skip
    except TidegateError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start the implementation, and put the suite's items behind the project's own."""
    gate = config.stash.get(GATE, None)
    if gate is None:
        return
    from tidegate.plugins.suite_items import collected
    from tidegate.record.errors import TidegateError

    try:
        gate.start()
        items += collected(session, gate)
    except TidegateError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let an item of the suite end as its check did."""
    report = yield
    if gate := item.config.stash.get(GATE, None):
        gate.end(item, report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_report_teststatus(
    report: pytest.TestReport, config: pytest.Config
) -> Generator[None, tuple[str, str, str], tuple[str, str, str]]:
    """With `-v`, name the rules that an item found violated, or else the rules that it serves, beside how it ended."""
    category, letter, word = yield
    named = report.user_properties if GATE in config.stash else []
    violated, served = ([str(value) for name, value in named if name == wanted] for wanted in ("violated", "rule"))
    rules = violated or served
    return category, letter, f"{word} {' '.join(rules)}" if rules and word and isinstance(word, str) else word


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the implementation and write the report, which can fail a session whose items all passed."""
    if (gate := session.config.stash.get(GATE, None)) and gate.finish() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how it ended, in one line, and where the report is."""
    gate = terminalreporter.config.stash.get(GATE, None)
    if gate is not None and gate.summary:
        terminalreporter.section("tidegate")
        for line in gate.summary:
            terminalreporter.line(line)
