"""Where every line of an input went, and the lines that were put aside."""

from dataclasses import dataclass

from tidegate.record.errors import BadInput, TidegateError


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


@dataclass(frozen=True)
class Quarantined:
    """A line that looks relevant and could not be read; `line` counts from 1, and begins at the byte `offset`."""

    input: str
    line: int
    offset: int
    field: str | None
    expected: str
    text: str

    def __str__(self) -> str:
        return str(BadInput(self.expected, file=self.input, line=self.line, field=self.field))
