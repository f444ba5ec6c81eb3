"""Where every line of an input went."""

from dataclasses import dataclass

from tidegate.record.errors import TidegateError


@dataclass(frozen=True)
class Account:
    """Where the lines of one input went: `lines` = `events` + `ignored` + `quarantined`."""

    lines: int
    events: int
    ignored: int
    quarantined: int

    def __add__(self, other: "Account") -> "Account":
        return Account(
            self.lines + other.lines,
            self.events + other.events,
            self.ignored + other.ignored,
            self.quarantined + other.quarantined,
        )

    def settled(self, whose: str) -> "Account":
        """The account itself; raises TidegateError where a line of `whose` is not accounted for."""
        if self.lines != self.events + self.ignored + self.quarantined:
            raise TidegateError(f"{whose}: not every line is accounted for: {self}")
        return self


NO_LINES = Account(0, 0, 0, 0)
