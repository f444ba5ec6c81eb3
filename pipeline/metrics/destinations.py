"""Which destinations have figures of their own: a bound on the series that a monitor has to keep."""

OTHER = "other"
"""What stands for all destinations beyond the bound; one that is called so is summed there, too."""


class Destinations:
    """The first `most` destinations, over all logs, have figures of their own; the others are summed as OTHER."""

    def __init__(self, most: int):
        self._left = most
        self._own: set[tuple[str, str]] = set()
        self._others: dict[str, set[int]] = {}

    def named(self, log: str, destination: str) -> str:
        """What a destination of a log is called in metrics. The whole broker, the empty text, is no destination."""
        if not destination or (log, destination) in self._own:
            return destination
        if self._left and destination != OTHER:
            self._left -= 1
            self._own.add((log, destination))
            return destination
        # a number takes less than a name, and that two share one hardly ever happens
        self._others.setdefault(log, set()).add(hash(destination))
        return OTHER

    def in_other(self, log: str) -> int:
        """How many destinations of a log are summed as OTHER."""
        return len(self._others.get(log, ()))
