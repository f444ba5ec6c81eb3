"""The changes that an upgrade makes under a configuration, by the models of both releases and by reports of runs on
them."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tidegate.record.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from tidegate.explain.machine import Machine
    from tidegate.explain.read.reading import Read
    from tidegate.explain.versions import Version
    from tidegate.explain.vocabulary import Traffic


def compared(
    read: "Read",
    before: "Version",
    asked: tuple[str, str],
    traffic: "Traffic",
    wanted: tuple[str, ...],
    on: "Machine",
    reports: Path | None,
) -> tuple[dict[str, Any], bool]:
    """The changes from one version to another, as data, and whether there are none."""
    from tidegate.explain import compare, explaining

    require_solver()
    from tidegate.conformance.proofs.met import met

    after = explaining.version_of(read, *asked)
    known = compare.known(read, before, after, traffic, wanted, on)
    changed = compare.changes(read, before, after, traffic, wanted, on)
    rules = [each for models in compare.models(read, before, after) for each in met(*models, known)]
    unused = compare.unused(read)
    is_met = (each for each in rules if each.found.case is not None and each.changed.rule.name not in unused)
    can_be_met = {each.changed.rule.name: each for each in is_met}
    not_met = {each.changed.rule.rule_id for each in rules if each.found.known}
    not_met -= {each.changed.rule.rule_id for each in can_be_met.values()}  # one form of a rule may differ alone
    data = {
        "file": read.file,
        "before": before.words,
        "after": after.words,
        "same_model": before.taken == after.taken,
        "changes": [str(each) for each in changed],
        "defaults": list(compare.further_defaults(before, after)),
        "met": [
            {
                "rule": each.changed.rule.rule_id,
                "sentence": each.changed.rule.sentence,
                **asdict(each.facts(compare.named(read))),
            }
            for each in can_be_met.values()
        ],
        "not_met": sorted(not_met),
        "not_known": sorted({each.changed.rule.rule_id for each in rules if not each.found.known}),
    }
    cited = compare.cited(read, before, after, traffic, wanted, on)
    data["seen"] = [] if reports is None else list(_seen(reports, before, after, cited))
    return data, not changed and not can_be_met and not data["seen"]


def _seen(reports: Path, before: "Version", after: "Version", cited: frozenset[str]) -> Iterator[str]:
    """The different verdicts of runs of both releases, on the rules that the configuration relies on."""
    from tidegate.conformance.report.diff import Direction, Kind, difference
    from tidegate.conformance.report.store import read_report

    any_there = False
    for broker in (before.broker, f"{before.broker}-core"):
        paths = [reports / f"{broker}-{each.asked or each.taken}" / "report.json" for each in (before, after)]
        if not all(path.is_file() for path in paths):
            continue
        any_there = True
        for change in difference(*(read_report(path) for path in paths)).changes:
            if change.subject in cited and change.kind is Kind.VERDICT and change.direction is not Direction.OTHER:
                yield f"{change.subject} {change.title}: before {change.before}; after {change.after}"
    if not any_there:
        names = " and ".join(f"{each.broker}-{each.asked or each.taken}" for each in (before, after))
        raise BadInput(f"expected the reports {names}", file=reports)


def require_solver() -> None:
    """Raise Unavailable where the solver is not installed."""
    from importlib.util import find_spec

    if find_spec("z3") is None:
        from tidegate.record.extras import how_to_install

        raise Unavailable(f"comparing releases needs the solver z3: {how_to_install('proofs')}")
