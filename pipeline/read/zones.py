"""Time zones by their names."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tidegate.record.errors import BadInput


def zone_of(name: str) -> tzinfo:
    """The time zone of this name, such as Europe/Berlin. Raises BadInput where there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        expected = f"expected the name of a time zone, such as Europe/Berlin, not {name!r}"
        raise BadInput(expected, field="timezone") from error
