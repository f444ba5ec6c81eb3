"""The priorities that an adapter gives to messages whose queues are ordered by priority."""

PRIORITIES = 10
"""The number of priorities: 0 to 9 in JMS, and in queues of the brokers here."""


class Priorities:
    """The priorities 0 to 9 in turn, from `begin` to `end`; without one, no message has a priority of its own."""

    def __init__(self) -> None:
        self._given: int | None = None

    def begin(self) -> None:
        """Give each message from now on a priority."""
        self._given = 0

    def end(self) -> None:
        """Give no message a priority any more."""
        self._given = None

    @property
    def in_use(self) -> bool:
        """Whether messages have priorities."""
        return self._given is not None

    def next(self) -> int | None:
        """The priority of the next message; None if messages have none."""
        if self._given is None:
            return None
        self._given += 1
        return (self._given - 1) % PRIORITIES
