"""Parses sizes as configurations write them: 100, 10k, 64 mb, 10MiB, 512MiB; every unit is a power of 1,024.

Artemis reads K, M and G, also as Ki and with a trailing b; ActiveMQ Classic knows no i; Qpid knows no units.
"""

import re

from tidegate.explain.vocabulary import Origin
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput

_SIZE = re.compile(r"\s*(-?\d+)\s*(?:([kmgt])i?)?b?\s*", re.IGNORECASE)
MOST = (1 << 63) - 1
"""The largest figure of every broker."""
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def size(text: str) -> int | None:
    """The size in bytes; None if the text is no size."""
    found = _SIZE.fullmatch(text)
    if found is None:
        return None
    power: int = _POWERS[(found[2] or "").lower()]
    unit: int = 1024**power
    return int(found[1]) * unit


def read_size(
    text: str, origin: Origin, field: str, least: int = -1, *, units: str = "kmgi", what: str = "a size in bytes"
) -> int:
    """The size in bytes, or another figure that may have a unit. BadInput for a text that is no size, for a size below
    `least`, or for a unit that `units` lacks."""
    found = size(text)
    unit = re.sub(r"[^a-z]", "", text.lower())
    _check_most(found, text, origin, field)
    if found is None or found < least or not set(unit) <= {*units, "b"}:
        since = f" from {least} on" if least > -MOST else ""
        known = ", ".join(each.upper() for each in units if each in "kmgt")
        raise BadInput(
            f"expected {what}{since}, such as 10485760 or 10{units[1].upper()} (units {known}), not {text!r}",
            file=origin.file,
            line=origin.line,
            field=field,
        )
    return found


def read_number(text: str, origin: Origin, field: str, least: int | None = None) -> int:
    """A whole number. BadInput for any other text, or for one below `least`."""
    stripped = text.strip()
    _check_most(size(stripped), text, origin, field)
    if not re.fullmatch(r"[+-]?\d+", stripped) or (least is not None and int(stripped) < least):
        expected = "a whole number" if least is None or least < -MOST else f"a whole number from {least} on"
        if (meant := size(text)) is not None and meant >= (least or 0):
            expected += f" without a unit (perhaps {meant})"
        raise BadInput(f"expected {expected}, not {text!r}", file=origin.file, line=origin.line, field=field)
    return int(stripped)


def _check_most(found: int | None, text: str, origin: Origin, field: str) -> None:
    if found is not None and found > MOST:
        expected = f"expected at most {MOST:,}, the largest figure of a broker, not {text!r}"
        raise BadInput(expected, file=origin.file, line=origin.line, field=field)


def shown(count: int) -> str:
    """A size for people: the bytes, and the approximate size in KiB, MiB or GiB."""
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if abs(count) >= 1024**power:
            return f"{counted(count, 'bytes')} ({count / 1024**power:.4g} {unit})"
    return counted(count, "bytes")
