"""The report as a badge: JSON in the schema of shields.io's endpoint badge, to be served from wherever one likes."""

import json

from tidegate.conformance.report.view import limited
from tidegate.record.errors import ExitCode
from tidegate.record.report import Report, RuleVerdict
from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 1
COLOURS = {
    ExitCode.OK: "brightgreen",
    ExitCode.VIOLATED: "red",
    ExitCode.UNKNOWN: "yellow",
    ExitCode.HARNESS: "lightgrey",
}
"""By how the run ended; a run with known deviations is `green` where it would be `brightgreen`."""


def render(report: Report) -> str:
    """The JSON of the badge, such as `tidegate 1.0 | 27 kept, 1 known deviation`."""
    code = ExitCode(report.footer.exit_code)
    scored = [one for each in report.implementations for one in each.verdicts if one.scored]
    known = sum(one.known_deviation is not None for one in scored)
    colour = "green" if code is ExitCode.OK and (known or limited(report)) else COLOURS[code]
    badge = {
        "schemaVersion": SCHEMA_VERSION,
        "label": f"tidegate {report.requirements}".strip(),
        "message": _message(report, code, scored, known),
        "color": colour,
        "isError": code in {ExitCode.UNKNOWN, ExitCode.HARNESS},
    }
    return json.dumps(badge, indent=2) + "\n"


def _message(report: Report, code: ExitCode, scored: list[RuleVerdict], known: int) -> str:
    if code is ExitCode.HARNESS:
        return "tidegate failed"
    counts = {verdict: sum(one.verdict is verdict for one in scored) for verdict in Verdict}
    gone = sum(len(each.deviations_gone) for each in report.implementations)
    parts = {
        "violated": counts[Verdict.VIOLATED] - known,
        "unknown": counts[Verdict.UNKNOWN],
        "declared and gone": gone,
        "kept": counts[Verdict.KEPT] + counts[Verdict.ALLOWED],
        "known deviation" if known == 1 else "known deviations": known,
    }
    shown = [f"{number} {what}" for what, number in parts.items() if number or what == "kept"]
    return ", ".join(shown) + (f" ({report.subset} subset)" if report.subset else "")
