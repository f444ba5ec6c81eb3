"""Decides when to give up an implementation that fails again and again, so that a run ends within minutes."""

import re

MOST_IN_A_ROW = 20
"""The most scenarios in a row that may end with the same failure."""
MOST_LOST_SECONDS = 600.0
"""The most seconds lost in failed calls and restarts, in the whole run."""


class Patience:
    """Counts how scenarios end; failures that differ only in figures and quoted names count as the same."""

    def __init__(self) -> None:
        self._failure = self._why = ""
        self._in_a_row = 0
        self._lost_seconds = 0.0

    def failed(self, why: str, lost_seconds: float) -> None:
        """Note that a scenario failed and the implementation was restarted; hanging and restart took `lost_seconds`."""
        failure = re.sub(r"'[^']*'|\d+", "…", why)
        self._in_a_row = self._in_a_row + 1 if failure == self._failure else 1
        self._failure = failure
        self._why = why
        self._lost_seconds += lost_seconds

    def went_on(self, lost_seconds: float) -> None:
        """Note that a scenario ended in good order; `lost_seconds` were lost in failed calls."""
        self._in_a_row = 0
        self._lost_seconds += lost_seconds

    @property
    def over(self) -> str:
        """The reason for giving up the implementation; empty as long as it is not given up."""
        if self._in_a_row >= MOST_IN_A_ROW:
            return f"given up after {self._in_a_row} scenarios in a row that ended alike: {self._why}"
        if self._lost_seconds >= MOST_LOST_SECONDS:
            minutes = round(self._lost_seconds / 60)
            return f"given up after {minutes} minutes of calls that failed and of new starts"
        return ""
