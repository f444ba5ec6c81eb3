"""What the tests of all example programs share: the whole suite on one, lines to one, and what it answers."""

import json
import shlex
import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.conformance.assembly import assemble
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.verdict import Verdict

LONGEST_SECONDS = 120
TODAY = date(2026, 1, 31)


def verdicts_of(program: Sequence[str], folder: Path, strength: int = 0) -> dict[str, Verdict]:
    """The verdict on each rule that the program claims, of a whole run in which it was never started again."""
    conformance = run_suite(resolve(f"cmd:{shlex.join(program)}"), _needs_of, folder, strength=strength)
    assert conformance.errors == []
    (report,) = assemble(conformance, (), "", whole=True, today=TODAY).implementations
    assert "started again" not in report.implementation.parameters
    claimed = {rule.id for rule in catalogue().values() if {*rule.needs} <= {*report.implementation.capabilities}}
    return {verdict.rule: verdict.verdict for verdict in report.verdicts if verdict.rule in claimed}


def results_of(program: Sequence[str], rule: str, folder: Path) -> set[CheckResult]:
    """How the scenarios of one rule end."""
    selection = Selection(rules=(rule,), kinds=(CheckKind.SCENARIO,))
    (subject,) = run_suite(resolve(f"cmd:{shlex.join(program)}"), _needs_of, folder, selection=selection).subjects
    return {check.result for check in subject.checks if rule in check.rules}


def request(number: int, verb: str, **arguments: object) -> str:
    """One line to a program."""
    return json.dumps({"id": number, "verb": verb, **arguments}, ensure_ascii=False)


def responses(program: Sequence[str], lines: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """What the program answers, and what it says on stderr."""
    asked = "".join(f"{line}\n" for line in lines)
    ended = subprocess.run(
        program, input=asked, capture_output=True, encoding="utf-8", check=True, timeout=LONGEST_SECONDS
    )
    return [json.loads(line) for line in ended.stdout.split("\n") if line], ended.stderr


def _needs_of(rule: str) -> frozenset[str]:
    return frozenset(catalogue()[rule].needs)
