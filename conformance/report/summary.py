"""The summary on the page of a CI job: Markdown appended to a file, within the size that GitHub accepts."""

from pathlib import Path

from tidegate.conformance.report import markdown
from tidegate.record.report import Report

MOST_BYTES = 1_048_576
"""The most bytes of a summary that GitHub shows."""
CUT = "\n\nThe rest is in the report: a summary has no room for more.\n"


def append(report: Report, path: Path) -> None:
    """Append the report; if it is too long, it ends before the first rule that does not fit, with a note."""
    taken = path.stat().st_size if path.exists() else 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as summary:
        summary.write(fitted(markdown.render(report), MOST_BYTES - taken))


def fitted(text: str, most_bytes: int) -> str:
    """The text, or as many of its parts (each begins with a heading) as fit before the note; else empty."""
    if len(text.encode()) <= most_bytes:
        return text
    room = most_bytes - len(CUT.encode())
    kept = text.encode()[: max(room, 0)].decode(errors="ignore")
    return kept.rpartition("\n#")[0].rstrip() + CUT if room >= 0 else ""
