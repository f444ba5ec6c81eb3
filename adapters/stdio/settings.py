"""The settings of the session with a program, read from environment variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tidegate.record.errors import BadInput

VALIDATE = "TIDEGATE_STDIO_VALIDATE"
FOLDER = "TIDEGATE_STDIO_FOLDER"
TIMEOUT = "TIDEGATE_STDIO_TIMEOUT_MS"
TIMEOUT_MS = 20_000
LONGEST_MS = 29_000
"""Below the limit of the suite's own watchdog, whose error could not name the verb."""


@dataclass(frozen=True)
class Settings:
    """The settings of the session with a program."""

    validate: bool = False
    """Check each line in both directions against the whole schema."""
    folder: Path | None = None
    """The folder for the lines of the session and the program's stderr; None: neither is kept."""
    timeout_ms: int = TIMEOUT_MS
    """The most time that a verb may take."""

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings of these environment variables. `BadInput` if a value is invalid."""
        folder = environment.get(FOLDER)
        return cls(
            validate=_switch(environment.get(VALIDATE, "")),
            folder=Path(folder) if folder else None,
            timeout_ms=_limit(environment.get(TIMEOUT) or str(TIMEOUT_MS)),
        )


def _switch(text: str) -> bool:
    if text not in {"", "0", "1"}:
        raise BadInput(f"environment variable {VALIDATE}: expected 0 or 1, not {text!r}")
    return text == "1"


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_MS:
        raise BadInput(f"environment variable {TIMEOUT}: expected 1 to {LONGEST_MS} ms, not {text!r}")
    return int(text)
