"""The time at the begin of a line, in ms since the epoch, and time zones by their names."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean

TimeForm = Callable[[str, tzinfo], int | Unparsed]
"""A function from a line, and the zone of times without one, to ms since the epoch, or to why there is no time."""

DATE_TIME = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d"
STAMPED = re.compile(rf"\[?{DATE_TIME}")
"""The begin of a record in a log where every record begins with its time."""
STAMP = re.compile(rf"\[?(?P<stamp>{DATE_TIME}(?:[.,]\d{{1,9}})?) ?(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?(?![^\s\]|])")
EPOCH = datetime.fromtimestamp(0, UTC)


def iso_time(line: str, zone: tzinfo) -> int | Unparsed:
    """A time such as `2026-01-31 23:59:59,123` or `2026-01-31T22:59:59.123456+01:00`, to the ms below.

    A time that occurs twice in the zone, when clocks go back, is the earlier of the two; a time that clocks skip when
    they go forward is read as if they had not gone forward yet.
    """
    found = STAMP.match(line)
    if found is None:
        return Unparsed("expected a time in front, such as 2026-01-31 23:59:59,123", "time")
    try:
        moment = datetime.fromisoformat(found["stamp"].replace(",", ".") + (found["zone"] or ""))
    except ValueError as error:
        return Unparsed(f"expected a time in front, but {error}", "time")
    return milliseconds(moment, zone)


def milliseconds(moment: datetime, zone: tzinfo) -> int | Unparsed:
    """The ms since the epoch of a moment; a moment without a zone is in `zone`."""
    try:
        since_epoch = (moment if moment.tzinfo else moment.replace(tzinfo=zone)) - EPOCH
    except OverflowError:
        return Unparsed(f"expected a time since 1970, not {moment.isoformat()}", "time")
    whole = since_epoch.days * 86_400_000 + since_epoch.seconds * 1000 + since_epoch.microseconds // 1000
    if whole < 0:
        return Unparsed(f"expected a time since 1970, not {moment.isoformat()}", "time")
    return whole


def zone_of(name: str) -> tzinfo:
    """The time zone of this name, such as Europe/Berlin. Raises BadInput for an unknown name."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        hint = did_you_mean(name, available_timezones())
        expected = f"expected the name of a time zone, such as Europe/Berlin, not {name!r}{hint}"
        raise BadInput(expected, field="timezone") from error
