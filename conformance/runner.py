"""Runs the suite on implementations and gathers the findings."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tidegate.adapters.base import Adapter
from tidegate.conformance.conditions import narrowing
from tidegate.conformance.plugin import CONFORMANCE, SUITE
from tidegate.conformance.replaying import Replay
from tidegate.conformance.report.files import JUNIT_OF_CHECKS
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance, Needs
from tidegate.conformance.step_search import once_for_each_text
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import check_trace
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput, Interrupted
from tidegate.record.hints import did_you_mean
from tidegate.record.report import Check

OPTIONS = (
    *("-p", "tidegate.conformance.plugin", "-p", "pytest_bdd.plugin", "--disable-plugin-autoload", "-c", os.devnull),
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:threadexception"),
)
"""Keeps settings and plugins of the surrounding project out, and all output but tidegate's own.

Python prints an exception that nothing can catch; pytest would turn it into a warning, which nobody would see here.
"""
ENDS_WELL = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}


ROUNDS_FOR_LATE_CHECKS = 2
"""How often the checks run again that looked too late to tell anything."""


class _Attach:
    """Passes the state of the run to the plugin."""

    def __init__(self, conformance: Conformance):
        self._conformance = conformance

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[CONFORMANCE] = self._conformance


def run_suite(
    factories: Mapping[str, Callable[[], Adapter]],
    needs: Needs,
    folder: Path,
    *,
    selection: Selection | None = None,
    repeat: int = 1,
    strength: int = 0,
    seed: str = "",
    progress: Callable[[Check], None] = lambda check: None,
    judge_traces: bool = True,
    narrows: bool = False,
    replay: Replay | None = None,
    junit: Path | None = None,
    may_be_empty: bool = False,
) -> Conformance:
    """Run every selected check on every implementation; traces go to the folder, JUnit results too or to `junit`.

    The traces are judged too with `judge_traces`. With `narrows`, checks that were violated under several conditions
    run again under fewer, so that the verdict names the conditions it needs. `replay` forms the command that repeats a
    check. If tidegate itself fails, the findings so far are kept, and `errors` names the failure.

    Raises `Unavailable` if an implementation is not available, BadInput if the selection selects nothing and the run
    must not be empty, Interrupted if the user ends the run.
    """
    chosen = selection or Selection()
    with _report_folder(folder):
        subjects = [Subject(name, folder, make()) for name, make in factories.items()]
        conformance = Conformance(subjects, needs, chosen, repeat, strength, seed, progress, replay or Replay())
        code = _run(conformance, junit or folder / JUNIT_OF_CHECKS, narrows=narrows)
    if code not in ENDS_WELL:
        conformance.errors.append(f"the suite: pytest ended with {pytest.ExitCode(code).name}")
    for subject in conformance.subjects if judge_traces else ():
        _judge_trace(subject, conformance, chosen)
    has_checks = any(subject.checks or subject.unsupported for subject in conformance.subjects)
    if not (conformance.errors or has_checks or may_be_empty):
        raise _nothing_tried(subjects) or nothing_selected(chosen, conformance.left_out)
    return conformance


def _nothing_tried(subjects: Sequence[Subject]) -> BadInput | None:
    """The error of a run whose selected checks were all not tried; None if there is no such check."""
    not_tried = [check for subject in subjects for check in subject.not_tried]
    further = f", and {counted(len(not_tried) - 1, 'more checks')}" if not_tried[1:] else ""
    return BadInput(f"no check was tried: {not_tried[0]}{further}") if not_tried else None


def nothing_selected(selection: Selection, left_out: Collection[str]) -> BadInput:
    """The error of a run without a check; `left_out` are the checks that an implementation claims beside."""
    wanted = [f"--rule {rule}" for rule in selection.rules] + [f"--check {check}" for check in selection.checks]
    wanted += [f"--only {kind}" for kind in selection.kinds]
    asked = " ".join(wanted) or "this part of the suite"
    near = "".join(did_you_mean(check, left_out) for check in selection.checks[:1])
    return BadInput(f"no check was selected: no adapter claims a rule with a check for {asked}{near}")


def _judge_trace(subject: Subject, conformance: Conformance, chosen: Selection) -> None:
    ran = {rule for check in subject.checks for rule in check.rules}
    try:
        subject.checks += check_trace(
            subject.trace_path, ran.__contains__, subject.name, conformance.replay,
            named=chosen.checks, without=subject.judged, conditions=subject.conditions,
        )  # fmt: skip
    except Exception as error:
        conformance.errors.append(f"the trace {subject.trace_path.name}: {type(error).__name__}: {error}")


@contextmanager
def _report_folder(folder: Path) -> Iterator[None]:
    """Create the folder for the run; remove it afterwards if it is new and still empty."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def _run(conformance: Conformance, junit: Path, *, narrows: bool) -> int | pytest.ExitCode:
    try:
        for subject in conformance.subjects:
            subject.start()
        code = _checks(conformance, f"--junitxml={junit}")
        for subject in conformance.subjects if code in ENDS_WELL else ():
            _run_late_again(subject, conformance)
            if narrows:
                _narrow(subject, conformance)
        return code
    finally:
        for subject in conformance.subjects:
            try:
                subject.stop()
            except Exception as error:  # the others must be stopped, and the findings hold all the same
                conformance.errors.append(f"stopping {subject.name}: {type(error).__name__}: {error}")


def _checks(conformance: Conformance, *options: str) -> int | pytest.ExitCode:
    """Run the selected checks."""
    return session_of((SUITE,), _Attach(conformance), *options)


def session_of(paths: Sequence[Path], plugin: object, *options: str) -> int | pytest.ExitCode:
    """Run a session of pytest on files of the suite with a plugin; how it ended. Every session begins here.

    Raises Interrupted if the user ends the session.
    """
    with once_for_each_text():
        places = ("--rootdir", str(SUITE), "--confcutdir", str(SUITE))
        code = pytest.main([*map(str, paths), *OPTIONS, *places, *options], plugins=[plugin])
    if code == pytest.ExitCode.INTERRUPTED:
        raise Interrupted
    return code


def _run_late_again(subject: Subject, conformance: Conformance) -> None:
    """Run the checks again that looked too late to tell anything; a new result replaces the one without a finding."""
    for _ in range(ROUNDS_FOR_LATE_CHECKS):
        late, subject.late = subject.late, []
        if not late:
            return
        before = len(subject.checks)
        _checks(conformance.again(subject, tuple(dict.fromkeys(check.check for check in late))))
        ran = {check.check for check in subject.checks[before:]}
        subject.checks = [
            check
            for number, check in enumerate(subject.checks)
            if number >= before or check not in late or check.check not in ran
        ]


def _narrow(subject: Subject, conformance: Conformance) -> None:
    """Run again what was violated under several conditions: under each alone and, if need be, without each.

    At most `narrowing.MOST` checks run; the rest is noted as not tried.
    """
    left = narrowing.MOST
    for fewer in (narrowing.each_alone, narrowing.without_each):
        wanted = fewer(subject.checks)
        names, too_many = wanted[:left], wanted[left:]
        left -= len(names)
        subject.not_tried += [f"{name}: at most {narrowing.MOST} checks are run again" for name in too_many]
        if names:
            _checks(conformance.again(subject, names))
