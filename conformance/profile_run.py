"""Runs the suite on the profile of a released version, for its checks only."""

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tidegate.adapters.base import Adapter
from tidegate.catalogue import catalogue, rule_named
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.errors import TidegateError
from tidegate.record.report import Check, CheckKind

WOVEN = 1
"""The strength of covering arrays, as in committed reports."""


def checks_of(
    name: str, factory: Callable[[], Adapter], kinds: Iterable[CheckKind] = (), checks: Iterable[str] = ()
) -> tuple[Check, ...]:
    """Every check of a run on one implementation; only checks of the given `kinds` and `checks`, if there are any.

    A check with conditions in its name runs under these, even if a run of today would not.
    """
    with TemporaryDirectory(prefix="tidegate-built-") as folder:
        conformance = run_suite(
            {name: factory},
            lambda rule: frozenset(rule_named(rule, catalogue()).needs),
            Path(folder),
            selection=Selection(checks=tuple(checks), kinds=tuple(kinds)),
            strength=WOVEN,
        )
    if conformance.errors:
        raise TidegateError(conformance.errors[0])
    (subject,) = conformance.subjects
    return tuple(subject.checks)
