"""The end of the lines that count, if a time is asked for."""

from collections.abc import Iterable
from dataclasses import replace

from tidegate.record.errors import BadInput
from tidegate.why.times import LEAP_YEAR, Stamp


def end(at: Stamp, times: Iterable[Stamp]) -> Stamp:
    """The requested time, on the day of the lines if it names no day. BadInput if the lines are of several days."""
    days = sorted({time.moment.date() for time in times})
    if not days or (at.moment.year > LEAP_YEAR and days[-1].year > LEAP_YEAR):
        return at
    if at.moment.year == days[-1].year == LEAP_YEAR:
        return at
    if at.moment.year >= LEAP_YEAR:  # a day is requested, and the lines have no day or no year
        known = [
            day for day in days if (day.month, day.day) == (at.moment.month, at.moment.day) and day.year >= LEAP_YEAR
        ]
        if len(known) == 1:
            return replace(at, moment=at.moment.replace(year=known[0].year))
        raise BadInput("expected a time of day, or --date beside it, because the lines have no date", field="--at")
    if len(days) > 1:
        raise BadInput(
            f"expected a date with the time, because the lines are of {_shown(days[0])} to {_shown(days[-1])}",
            field="--at",
        )
    return replace(at, moment=at.moment.replace(year=days[0].year, month=days[0].month, day=days[0].day))


def _shown(day: object) -> str:
    return str(day).replace(f"{LEAP_YEAR:04}-", "").replace("0001-01-", "day ")


def until(time: Stamp, last: Stamp) -> bool:
    """Whether a time is not after the end; an end without a zone is in the zone of the line."""
    if time.dated and last.dated and time.offset is not None and last.offset is not None:
        return time.instant <= last.instant
    return time.moment <= last.moment
