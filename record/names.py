"""Names of files: tables and reports hold UTF-8 texts, but the system allows any bytes in a name."""

import os
from pathlib import Path

from tidegate.record.errors import BadInput


def fault_of_name(path: Path) -> BadInput | None:
    """The error for a path that is not UTF-8, or leads to one that is not; None for all others."""
    return None if is_text(f"{path}{os.path.realpath(path)}") else not_text(path)


def is_text(name: str) -> bool:
    """Whether a name is UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def not_text(path: str | Path) -> BadInput:
    """The error for a path that is not UTF-8, or leads to one that is not."""
    return BadInput("expected names of file and folders in UTF-8", file=shown(path))


def shown(path: str | Path) -> str:
    """A path as UTF-8 text, with an escape for each other byte."""
    return os.fsencode(path).decode(errors="backslashreplace")
