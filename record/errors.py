"""Errors that a user can mend, each one clear sentence, and the exit code that goes with each."""

from enum import IntEnum


class ExitCode(IntEnum):
    """How a tidegate command ends; the first that applies, from the highest to the lowest."""

    OK = 0
    """Every claimed rule is kept, allowed, or deviates exactly as declared."""
    VIOLATED = 1
    """A rule is violated, or a known deviation no longer deviates as declared."""
    BAD_INPUT = 2
    """The input has no meaning, or something that the command needs is missing."""
    UNKNOWN = 3
    """A claimed rule could not be judged."""
    HARNESS = 4
    """tidegate itself failed."""


class TidegateError(Exception):
    """An error that ends a command with one sentence and `exit_code`, never with a traceback."""

    exit_code = ExitCode.HARNESS


class BadInput(TidegateError):
    """Input without a meaning: says where it stands and what was expected there."""

    exit_code = ExitCode.BAD_INPUT

    def __init__(self, expected: str, *, file: object = None, line: int | None = None, field: str | None = None):
        self.expected = expected
        self.file = None if file is None else str(file)
        self.line = line
        self.field = field
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = self.file or ""
        if self.line is not None:
            where = f"{where}:{self.line}" if where else f"line {self.line}"
        parts = [where, self.field and f"field {self.field!r}", self.expected]
        return ": ".join(part for part in parts if part)


class Unavailable(TidegateError):
    """Something that the command needs is missing on this machine; the sentence says what to install."""

    exit_code = ExitCode.BAD_INPUT
