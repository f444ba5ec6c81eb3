"""Adds to each violated check the recording from which its script is written, a script that needs no tidegate."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from tidegate.adapters.base import Call, Outcome
from tidegate.adapters.groups import NoScript, WritesReproducers
from tidegate.catalogue import catalogue
from tidegate.record.report import CheckResult, RuleVerdict, ScriptTemplate

FOLDER = "reproduce"
"""The folder of scripts, below the report's folder."""
ASKED = {"traffic": "traffic-readable", "shown_stopped": "stops-shown", "shown_percent": "usage-shown"}
"""The verbs that ask management, and the capabilities of the rules about its answers. Scripts never call the verbs."""


def with_recordings(
    verdict: RuleVerdict, adapter: object, calls: Mapping[str, Sequence[Call]], folder: str = FOLDER
) -> RuleVerdict:
    """The verdict with a recording and a script path below `folder` for each violated check.

    `calls` are the recorded verb calls in order of time, by the source of their trace, `PREFIX.CHECK`. There is no
    recording if the adapter offers none, for a check without calls (such as one over the recorded trace), for actions
    that no script can repeat, and for rules about what management says.
    """
    rule = catalogue().get(verdict.rule)
    if not isinstance(adapter, WritesReproducers) or (
        rule is not None and not set(ASKED.values()).isdisjoint(rule.needs)
    ):
        return verdict
    checks = []
    runs: Counter[str] = Counter()
    names: dict[str, str] = {}
    for check in verdict.checks:
        found = _calls_of(check.check, runs[check.check], verdict, calls)
        # a commit that is blocked by a waiting send never reached the broker
        repeated = [
            call for call in found if call.verb not in ASKED and (call.verb, call.answer) != ("commit", Outcome.BLOCKED)
        ]
        runs[check.check] += 1
        if check.result is CheckResult.VIOLATED and repeated:
            with suppress(NoScript):
                recording = adapter.recording(repeated)
                name = names.setdefault(check.check, _unused_name(verdict.rule, check.check, names.values()))
                check = replace(check, script=f"{folder}/{name}", recording=recording)
        checks.append(check)
    last = {check.script: check for check in checks}  # a check that ran several times has one script, of its last run
    once = (check if check is last[check.script] else replace(check, recording=None) for check in checks)
    return replace(verdict, checks=tuple(once))


def template_of(adapter: object, verdicts: Iterable[RuleVerdict]) -> ScriptTemplate | None:
    """The template that the scripts of these verdicts share; None if there are no scripts."""
    is_any = any(check.recording is not None for verdict in verdicts for check in verdict.checks)
    return adapter.script_template() if is_any and isinstance(adapter, WritesReproducers) else None


def _calls_of(check: str, run: int, verdict: RuleVerdict, calls: Mapping[str, Sequence[Call]]) -> Sequence[Call]:
    """The calls of one run of a check: the run's own, or the last ones if one run tried many sequences."""
    found = [each for source, each in calls.items() if source.partition(".")[2] == check]
    one_each = len(found) == sum(each.check == check for each in verdict.checks)
    return found[run if one_each else -1] if found else ()


def _unused_name(rule: str, check: str, used: Collection[str]) -> str:
    """A file name from the rule and the check's example, such as `ARTEMIS-AMQP-3-69-31.py`; numbered if it is taken."""
    example = re.sub(r"[^A-Za-z0-9]+", "-", check.partition("[")[2]).strip("-")
    stem = f"{rule}-{example}" if example else rule
    names = (f"{stem}.py" if number == 1 else f"{stem}-no{number}.py" for number in count(1))
    return next(name for name in names if name not in used)
