"""Errors that a user can repair, each one clear sentence, and the exit code of each."""

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """The exit code of a tidegate command."""

    OK = 0
    """Every claimed rule is kept (a permission used or not used), or deviates exactly as declared."""
    VIOLATED = 1
    """A rule is violated, or a known deviation no longer deviates as declared, or its declaration expired."""
    BAD_INPUT = 2
    """The input has no meaning, or something that the command needs is missing."""
    UNKNOWN = 3
    """A claimed rule could not be judged, or what the adapter observes cannot be trusted, and no rule is violated."""
    HARNESS = 4
    """tidegate itself failed."""

    @classmethod
    def of_all(cls, codes: Iterable["ExitCode"]) -> "ExitCode":
        """The exit code of a command from the codes of its parts: HARNESS before VIOLATED before UNKNOWN.

        A part that was missing or could not be read is unknown beside others; a command ends with BAD_INPUT only where
        all parts did.
        """
        every = set(codes)
        for worst in (cls.HARNESS, cls.VIOLATED, cls.UNKNOWN):
            if worst in every:
                return worst
        if cls.BAD_INPUT in every:
            return cls.BAD_INPUT if every == {cls.BAD_INPUT} else cls.UNKNOWN
        return cls.OK


class TidegateError(Exception):
    """An error that ends a command with one sentence and `exit_code`, never with a traceback."""

    exit_code: int = ExitCode.HARNESS

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences that a command ends with, each on a line of its own."""
        return (str(self),)


class BadInput(TidegateError):
    """Input without a meaning: names its place and what was expected there."""

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


class BadInputs(BadInput):
    """Several faults of an input, each with a sentence of its own."""

    def __init__(self, sentences: tuple[str, ...]):
        super().__init__("\n".join(sentences))
        self._sentences = sentences

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence for each fault."""
        return self._sentences


class Unavailable(TidegateError):
    """Something that the command needs is missing on this machine; the sentence says what to install."""

    exit_code = ExitCode.BAD_INPUT


class Interrupted(TidegateError):
    """The user ended the command (Ctrl-C). The exit code tells the signal, as in shells."""

    exit_code = 128 + 2

    def __init__(self) -> None:
        super().__init__("interrupted")
