"""Names of files: tables and reports hold texts, and the system lets a name be any bytes."""

import os
from pathlib import Path

from tidegate.record.errors import BadInput


def fault_of_name(path: Path) -> BadInput | None:
    """What is wrong with a path that is no text, or leads to one that is none; nothing is with most."""
    return None if is_text(f"{path}{os.path.realpath(path)}") else not_text(path)


def is_text(name: str) -> bool:
    """Whether a name is one in UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def not_text(path: str | Path) -> BadInput:
    """A path that is no text, or leads to one that is none."""
    return BadInput("expected a name, with those of its folders, in UTF-8", file=shown(path))


def shown(path: str | Path) -> str:
    """A path as a text, the same where it is one."""
    return os.fsencode(path).decode(errors="backslashreplace")
