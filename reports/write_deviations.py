"""Declares the violated checks of a report as known deviations, with the figure that was seen."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from tidegate.conformance.report import view
from tidegate.conformance.report.deviations import Deviation, Range
from tidegate.conformance.report.verdicts import varies
from tidegate.record.report import CheckKind, CheckResult, ImplementationReport
from tidegate.record.verdict import Verdict

_HEAD = """\
# What {name} {version} is known to do otherwise than its document says, with the figures seen. A run with
#   tidegate run --adapter {adapter} --known-deviations reports/{folder}/known-deviations.yaml
# ends with 0 as long as it deviates in these ways, by these figures, and in no other.
"""
_TALLY = re.compile(r"otherwise at (\d+) of them")


def deviations_of(each: ImplementationReport, earlier: Sequence[Deviation], link: str) -> list[dict[str, Any]]:
    """An entry for each violated check; reason, link and range are those declared before, where there were any."""
    entries = []
    for verdict in each.verdicts:
        if verdict.verdict is Verdict.VIOLATED:
            for finding in view.in_order(verdict):
                if finding.check.result is CheckResult.VIOLATED:
                    before = next(
                        (one for one in earlier if one.rule == verdict.rule and one.names(finding.check)), None
                    )
                    entries.append(
                        {
                            "implementation": each.implementation.name,
                            "version": each.implementation.version,
                            "rule": verdict.rule,
                            "check": finding.check.check,
                            "reason": before.reason if before else "",
                            "link": before.link if before else link,
                            "seen": _seen(finding, before),
                            **({"racing": True} if varies(verdict) or (before and before.racing) else {}),
                        }
                    )
    return entries


def written(entries: Sequence[dict[str, Any]], each: ImplementationReport, folder: str) -> str:
    """The text of the file."""
    what = each.implementation
    head = _HEAD.format(name=what.name, version=what.version, adapter=what.profile, folder=folder)
    blocks = [yaml.safe_dump([entry], sort_keys=False, width=1000, allow_unicode=True) for entry in entries]
    return "\n".join([head, *(blocks or ["[]\n"])])


def unexplained(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries whose reason is left to be filled in."""
    return [entry for entry in entries if not entry["reason"]]


def _seen(finding: view.Finding, before: Deviation | None) -> str | dict[str, Any]:
    """The figure; a range where one was declared that holds it, or where a trace rule counts events."""
    if before is not None and isinstance(before.seen, Range) and before.seen.holds(finding.check.seen):
        return before.seen.model_dump(by_alias=True)
    tally = _TALLY.match(finding.check.seen)
    if finding.check.kind is CheckKind.TRACE and tally:
        # how many there are depends on what else runs, such as a subset
        return {"from": 1, "to": int(tally[1]), "unit": "of them"}
    return finding.check.seen
