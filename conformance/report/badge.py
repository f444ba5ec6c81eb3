"""The report as a badge: a picture, or JSON in the schema of shields.io's endpoint badge, served from anywhere."""

import json
from dataclasses import dataclass
from html import escape

from tidegate.conformance.report.view import GREEN, NOT_GREEN
from tidegate.record.errors import ExitCode
from tidegate.record.report import Report, RuleVerdict
from tidegate.record.verdict import Verdict

SCHEMA_VERSION = 1
BRIGHT, DECLARED, LESS = "brightgreen", "green", "yellowgreen"
"""Colours of a run that ended with 0: all kept; all violations declared; a run that shows less, such as a part."""
COLOURS = {
    ExitCode.VIOLATED: "red",
    ExitCode.UNKNOWN: "yellow",
    ExitCode.HARNESS: "lightgrey",
}
"""The colour of a badge, by the exit code of the run."""


TONES = {
    BRIGHT: "#1d7a46",
    DECLARED: "#3f7a1a",
    LESS: "#6a6d00",
    "red": "#b3261e",
    "yellow": "#8a5a00",
    "lightgrey": "#5f676c",
}
"""The colours of a picture, dark enough for white letters."""
HEIGHT, MARGIN, LETTER = 20, 6, 6.6
"""Of a picture, in pixels; `LETTER` is the width that letters of most fonts at 11 pixels do not exceed."""


@dataclass(frozen=True)
class Badge:
    """The text and the colour of a badge."""

    label: str
    message: str
    colour: str
    is_error: bool


def render(report: Report) -> str:
    """The JSON of the badge."""
    badge = badge_of(report)
    content = {
        "schemaVersion": SCHEMA_VERSION,
        "label": badge.label,
        "message": badge.message,
        "color": badge.colour,
        "isError": badge.is_error,
    }
    return json.dumps(content, indent=2) + "\n"


def picture(report: Report) -> str:
    """The badge as SVG, which needs no service to be shown."""
    badge = badge_of(report)
    left, right = (round(len(words) * LETTER + 2 * MARGIN) for words in (badge.label, badge.message))
    words = f"{badge.label}: {badge.message}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(words)}">\n<title>{escape(words)}</title>\n'
        f'<rect width="{left + right}" height="{HEIGHT}" rx="3" fill="{TONES[badge.colour]}"/>\n'
        f'<path d="M3 0h{left - 3}v{HEIGHT}h-{left - 3}a3 3 0 0 1-3-3v-{HEIGHT - 6}a3 3 0 0 1 3-3z" fill="#3b4247"/>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">\n'
        f'<text x="{left / 2:g}" y="14" textLength="{left - 2 * MARGIN}">{escape(badge.label)}</text>\n'
        f'<text x="{left + right / 2:g}" y="14" textLength="{right - 2 * MARGIN}">{escape(badge.message)}</text>\n'
        "</g>\n</svg>\n"
    )


def badge_of(report: Report) -> Badge:
    """The badge of a run, such as `tidegate 1.0 | 27 kept, 1 known deviation`.

    Bright green is a whole run in which every claimed rule that counts is kept, and none of the others deviates.
    """
    code = ExitCode(report.footer.exit_code)
    claimed = [
        one for each in report.implementations for one in each.verdicts if one.verdict is not Verdict.NOT_CLAIMED
    ]
    scored = [one for one in claimed if one.scored]
    later = [one for one in claimed if not one.scored]
    known = [one for one in scored if one.known_deviation is not None]
    colour = COLOURS.get(code, BRIGHT)
    if code is ExitCode.OK:
        kept = [one for one in scored if one not in known]
        not_green = any(one.verdict in NOT_GREEN for one in later)
        unexplained = any(not one.explained for each in report.implementations for one in each.declared)
        less = report.part is not None or not_green or unexplained or not kept
        colour = LESS if less else DECLARED if known else BRIGHT
    return Badge(
        label=f"tidegate {report.requirements}".strip(),
        message="tidegate failed" if code is ExitCode.HARNESS else _message(report, scored, later, len(known)),
        colour=colour,
        is_error=code in {ExitCode.UNKNOWN, ExitCode.HARNESS},
    )


def _message(report: Report, scored: list[RuleVerdict], later: list[RuleVerdict], known: int) -> str:
    parts = {
        "violated": _number(scored, Verdict.VIOLATED) - known,
        "unknown": _number(scored, Verdict.UNKNOWN),
        "not as declared": sum(len(each.deviations_gone) for each in report.implementations),
        "kept": sum(_number(scored, kind) for kind in GREEN),
        "known deviation" if known == 1 else "known deviations": known,
    }
    shown = [f"{number} {what}" for what, number in parts.items() if number or what == "kept"]
    if later:
        numbers = {kind: _number(later, kind) for kind in NOT_GREEN}
        of_these = ", ".join(f"{number} {kind}" for kind, number in numbers.items() if number)
        shown.append(f"{len(later)} not scored" + (f" ({of_these})" if of_these else ""))
    if any(not finding.explained_by for each in report.implementations for finding in each.findings):
        shown.append("adapter not trusted")
    if unexplained := sum(not one.explained for each in report.implementations for one in each.declared):
        shown.append(f"{unexplained} declared without a reason")
    return ", ".join(shown) + (f"; only {report.part} ran" if report.part else "")


def _number(verdicts: list[RuleVerdict], kind: Verdict) -> int:
    return sum(one.verdict is kind for one in verdicts)
