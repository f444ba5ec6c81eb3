"""One sign a verdict, so that none is told by its colour alone."""

from collections.abc import Mapping

from tidegate.record.verdict import Verdict

SIGNS: Mapping[Verdict, str] = {
    Verdict.KEPT: "✓",
    Verdict.VIOLATED: "✗",
    Verdict.FOLLOWS: "↳",
    Verdict.USED: "●",
    Verdict.NOT_USED: "○",
    Verdict.NOT_CLAIMED: "–",
    Verdict.UNKNOWN: "?",
}
