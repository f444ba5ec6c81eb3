"""The colours of verdicts on a terminal."""

from tidegate.record.verdict import Verdict

STYLES = {
    Verdict.KEPT: "green",
    Verdict.VIOLATED: "bold red",
    Verdict.FOLLOWS: "yellow",
    Verdict.USED: "cyan",
    Verdict.NOT_USED: "cyan",
    Verdict.NOT_CLAIMED: "dim",
    Verdict.UNKNOWN: "bold yellow",
}
