"""Parses the zones and days of logs that options state."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean
from tidegate.why.times import fixed, offset_of


def zones(told: Iterable[str]) -> dict[str, tzinfo]:
    """By file, the zone of its times; "" stands for all other files. BadInput for a text that is no zone."""
    return {file: zone(name) for file, name in (_parted(text) for text in told)}


def _parted(text: str) -> tuple[str, str]:
    file, _, name = text.rpartition("=")
    return file, name


def zone(name: str) -> tzinfo:
    """A zone such as Europe/Berlin, UTC or +01:00. BadInput for another text."""
    offset = offset_of(name)
    if offset is not None:
        return fixed(offset)
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        hint = did_you_mean(name, available_timezones())
        expected = f"expected a zone such as Europe/Berlin, UTC or +01:00, not {name!r}{hint}"
        raise BadInput(expected, field="--zone") from None


def day(text: str | None) -> date | None:
    """A day such as 2026-11-21; None for no text. BadInput for any other text."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise BadInput(f"expected a date such as 2026-11-21, not {text!r}", field="--date") from None


def written(name: str) -> tuple[datetime, ...]:
    """The modification time of a file, by the machine's clock and in UTC; none for pasted lines."""
    try:
        at = datetime.fromtimestamp(Path(name).stat().st_mtime, UTC)
    except OSError:
        return ()
    return at.astimezone().replace(tzinfo=None), at.replace(tzinfo=None)
