"""Scripts that show a violation without tidegate, written beside the report."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from tidegate.adapters.base import Call
from tidegate.adapters.groups import NoScript, WritesReproducers
from tidegate.catalogue import catalogue
from tidegate.record.report import CheckResult, RuleVerdict

FOLDER = "reproduce"
COUNTED, BY_COUNTING = "traffic", "traffic-readable"
"""A look at what management has counted, and the capability of rules about that. Any scenario looks; no script does."""


def with_scripts(
    verdict: RuleVerdict, adapter: object, calls: Mapping[str, Sequence[Call]], folder: Path
) -> RuleVerdict:
    """The verdict with a script for each check that was violated, written below the report's folder.

    `calls` are the recorded verb calls by the source of their trace, `PREFIX.CHECK`, in the order in which they
    ran. Nothing is written for an adapter that offers no scripts, nor for a check without calls, such as one
    over the recorded trace, nor for one that does what no script repeats, or that is about what management has counted.
    """
    rule = catalogue().get(verdict.rule)
    if not isinstance(adapter, WritesReproducers) or (rule is not None and BY_COUNTING in rule.needs):
        return verdict
    checks = []
    runs: Counter[str] = Counter()
    names: dict[str, str] = {}
    for check in verdict.checks:
        found = _calls_of(check.check, runs[check.check], verdict, calls)
        recorded = [call for call in found if call.verb != COUNTED]
        runs[check.check] += 1
        if check.result is CheckResult.VIOLATED and recorded:
            with suppress(NoScript):
                text = adapter.reproducer(f"{verdict.rule}: {verdict.sentence}", check, recorded)
                name = names.setdefault(check.check, _unused_name(verdict.rule, check.check, names.values()))
                _write(folder / FOLDER / name, text)
                check = replace(check, script=f"{FOLDER}/{name}")
        checks.append(check)
    return replace(verdict, checks=tuple(checks))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _calls_of(check: str, run: int, verdict: RuleVerdict, calls: Mapping[str, Sequence[Call]]) -> Sequence[Call]:
    """The calls of one run of a check: its own, or the last ones where a run tried many sequences."""
    found = [each for source, each in calls.items() if source.partition(".")[2] == check]
    one_each = len(found) == sum(each.check == check for each in verdict.checks)
    return found[run if one_each else -1] if found else ()


def _unused_name(rule: str, check: str, used: Collection[str]) -> str:
    """The rule and the example of the check, such as `ARTEMIS-AMQP-3-69-31.py`; numbered where that is taken."""
    example = re.sub(r"[^A-Za-z0-9]+", "-", check.partition("[")[2]).strip("-")
    stem = f"{rule}-{example}" if example else rule
    names = (f"{stem}.py" if number == 1 else f"{stem}-no{number}.py" for number in count(1))
    return next(name for name in names if name not in used)
