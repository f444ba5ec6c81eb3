"""When an implementation that goes wrong again and again is given up, so that a run ends within minutes."""

import re

MOST_IN_A_ROW = 20
"""Scenarios one after the other that ended with the same failure."""
MOST_LOST_SECONDS = 600.0
"""Of calls without an answer and of new starts, in the whole run."""


class Patience:
    """Counts how scenarios end; figures and names in a failure make it no other one."""

    def __init__(self) -> None:
        self._failure = self._why = ""
        self._in_a_row = 0
        self._lost_seconds = 0.0

    def failed(self, why: str, lost_seconds: float) -> None:
        """After a scenario the implementation had to be started anew, which took so long with all that hung before."""
        failure = re.sub(r"'[^']*'|\d+", "…", why)
        self._in_a_row = self._in_a_row + 1 if failure == self._failure else 1
        self._failure = failure
        self._why = why
        self._lost_seconds += lost_seconds

    def went_on(self, lost_seconds: float) -> None:
        """A scenario ended in good order, after so long in calls that failed."""
        self._in_a_row = 0
        self._lost_seconds += lost_seconds

    @property
    def over(self) -> str:
        """Why the implementation is asked no more; the empty text as long as it is."""
        if self._in_a_row >= MOST_IN_A_ROW:
            return f"given up after {self._in_a_row} scenarios in a row that ended alike: {self._why}"
        if self._lost_seconds >= MOST_LOST_SECONDS:
            minutes = round(self._lost_seconds / 60)
            return f"given up after {minutes} minutes of calls that failed and of new starts"
        return ""
