"""The summary that a CI job shows on its own page: Markdown appended to a file, within the size that the job takes."""

from pathlib import Path

from tidegate.conformance.report import markdown
from tidegate.record.report import Report

MOST_BYTES = 1_048_576
"""More than that, GitHub shows nothing of."""
CUT = "\n\nThe rest is in the report itself: a summary holds no more than this.\n"


def append(report: Report, path: Path) -> None:
    """Append the report; what does not fit is cut off before the first rule that does not, and that is said."""
    taken = path.stat().st_size if path.exists() else 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as summary:
        summary.write(fitted(markdown.render(report), MOST_BYTES - taken))


def fitted(text: str, most_bytes: int) -> str:
    """The text, or as many of its parts (each begins with a heading) as fit; nothing where not even the note does."""
    if len(text.encode()) <= most_bytes:
        return text
    room = most_bytes - len(CUT.encode())
    kept = text.encode()[: max(room, 0)].decode(errors="ignore")
    return kept.rpartition("\n#")[0].rstrip() + CUT if room >= 0 else ""
