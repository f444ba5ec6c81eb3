"""Times as they stand in logs: with a date, of a day only, or none."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time

NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTHS = {name: place for place, name in enumerate(NAMES, 1)}
CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,:](?P<fraction>\d{1,9}))?"
ZONE = r"(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d)\b)?"
FORMS = (
    re.compile(rf"\[?(?P<year>\d{{4}})[-/](?P<month>\d\d)[-/](?P<day>\d\d)[T _]{CLOCK}{ZONE}\]?"),
    re.compile(
        rf"=[A-Z]+ REPORT==== (?P<day>\d{{1,2}})-(?P<name>[A-Z][a-z]{{2}})-(?P<year>\d{{4}})::{CLOCK}(?: UTC)? ==="
    ),
    re.compile(rf"\[?(?P<day>\d{{1,2}})[-/ ](?P<name>[A-Z][a-z]{{2}})[-/ ](?P<year>\d{{4}})[: ]{CLOCK}{ZONE}\]?"),
    re.compile(rf"(?P<name>[A-Z][a-z]{{2}}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}),? {CLOCK}(?P<half> ?[AP]M)?"),
    re.compile(rf"(?P<name>[A-Z][a-z]{{2}}) {{1,2}}(?P<day>\d{{1,2}}) {CLOCK}"),
    re.compile(rf"\[?{CLOCK}{ZONE}\]?"),
)
"""ISO, RabbitMQ before 3.7, `25-Nov-2026 …`, java.util.logging, syslog (without a year), and a time of day."""


@dataclass(frozen=True)
class Stamp:
    """A time as it stands in the log, and what it means there; the zone is left out.

    `moment` is in the year 1 where the log has no date, and in LEAP_YEAR where it has a day without a year.
    """

    text: str
    moment: datetime

    @property
    def dated(self) -> bool:
        """Whether the log, or the option, says which day it is."""
        return self.moment.year > LEAP_YEAR


NO_DAY = date(1, 1, 1)
LEAP_YEAR = 4
"""The year of a day without a year, so that 29 February is one."""


def stamp(text: str, position: int = 0, day: date | None = None) -> tuple[Stamp, int] | None:
    """The time that stands at a position of a line, and where it ends; `day` is that of a time without a date."""
    for form in FORMS:
        found = form.match(text, position)
        if found is not None and (moment := _moment(found.groupdict(), day)) is not None:
            return Stamp(found[0].split("==== ")[-1].strip("[] ="), moment), found.end()
    return None


def _moment(fields: dict[str, str | None], day: date | None) -> datetime | None:
    hour = int(fields["hour"] or 0) % 12 + (12 if "P" in (fields["half"] or "") else 0) if fields.get("half") else None
    fraction = (fields["fraction"] or "")[:6].ljust(6, "0")
    month = fields.get("month") or MONTHS.get(fields.get("name") or "")
    try:
        clock = time(int(fields["hour"] or 0) if hour is None else hour, int(fields["minute"] or 0),
                     int(fields["second"] or 0), int(fraction))  # fmt: skip
        if fields.get("year"):
            return datetime.combine(date(int(fields["year"] or 0), int(month or 0), int(fields["day"] or 0)), clock)
        if fields.get("name") and day is not None:
            return datetime.combine(date(day.year, int(month or 0), int(fields["day"] or 0)), clock)
        if fields.get("name"):
            return datetime.combine(date(LEAP_YEAR, int(month or 0), int(fields["day"] or 0)), clock)
    except ValueError:
        return None
    return datetime.combine(day or NO_DAY, clock)
