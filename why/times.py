"""Parses times in logs: with a date, with a day only, or without either; with a zone or without."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

from tidegate.why.months import month

HALF = r"(?P<half>[ \u00a0\u202f]?(?:[AP]M|[ap]\.?m\.?)\b)?"
ZONES = {"UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "WEST": 1, "EET": 2, "CEST": 2, "MSK": 3, "EEST": 3, "JST": 9,
         "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}  # fmt: skip
"""Names of zones with one meaning, and their offsets in hours. CST, IST and BST have several meanings."""
NAMED = "|".join([*ZONES, "CST", "IST", "BST"])
ZONE = rf"(?:(?P<zone>Z|[ ]?[+-]\d\d(?::?\d\d)?| ?(?:{NAMED}))(?![\w:.-]))?"
CLOCK = rf"(?P<hour>\d{{1,2}}):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,:](?P<fraction>\d{{1,9}}))?{HALF}{ZONE}"
WORD = r"(?P<name>[^\W\d_]{3,10}\.?)"
WEEKDAY = r"(?:[^\W\d_]{2,3}\.?,? )?"
FORMS = (
    re.compile(rf"\[?{WEEKDAY}(?P<year>\d{{4}})[-/.](?P<month>\d\d)[-/.](?P<day>\d\d)(?:[T _]|, ){CLOCK}\]?"),
    re.compile(rf"(?P<year>20\d\d)(?P<month>\d\d)(?P<day>\d\d)[ T-]{CLOCK}"),
    re.compile(
        rf"=[A-Z]+ REPORT==== (?P<day>\d{{1,2}})-(?P<name>[A-Z][a-z]{{2}})-(?P<year>\d{{4}})::{CLOCK}(?: UTC)? ==="
    ),
    re.compile(rf"\[?{WEEKDAY}(?P<day>\d{{1,2}})(?:\. |[-/ ]){WORD}[-/ ](?P<year>\d{{4}})(?:[: ]|, ){CLOCK}\]?"),
    re.compile(rf"\[?{WEEKDAY}{WORD} (?P<day>\d{{1,2}}), (?P<year>\d{{4}})(?:,| @)? {CLOCK}\]?"),
    re.compile(rf"\[?{WEEKDAY}{WORD} {{1,2}}(?P<day>\d{{1,2}}) {CLOCK} (?P<year>\d{{4}})(?!\d)\]?"),
    re.compile(rf"\[?{WORD} {{1,2}}(?P<day>\d{{1,2}}) {CLOCK}"),
    re.compile(rf"\[?(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d\d(?:\d\d)?),? {CLOCK}\]?"),
    re.compile(rf"\[?(?P<year>\d{{4}})\u5e74(?P<month>\d{{1,2}})\u6708(?P<day>\d{{1,2}})\u65e5 {CLOCK}\]?"),  # 年 月 日
    re.compile(rf"\[?(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/(?P<year>\d\d(?:\d\d)?),? {CLOCK}\]?"),
    re.compile(rf"\[?(?P<one>\d\d)-(?P<other>\d\d)-(?P<year>\d{{4}}),? {CLOCK}\]?"),
    re.compile(rf"\[?(?P<one>\d\d)[-/](?P<other>\d\d) {CLOCK}\]?"),
    re.compile(r"__REALTIME_TIMESTAMP=(?P<micros>1\d{15})"),
    re.compile(r"(?:timestamp|timeMillis)=\"(?P<epoch>1\d{9})(?P<millis>\d{3})\""),
    re.compile(r"epochSecond=\"(?P<epoch>1\d{9})\"(?: nanoOfSecond=\"(?P<nanos>\d{1,9})\")?"),
    re.compile(r"\A\[?(?P<epoch>1\d{9})(?:\.(?P<fraction>\d{1,9})|(?P<millis>\d{3}))?(?=[\s\]:|])"),
    re.compile(rf"\[?{CLOCK}\]?"),
)
"""ISO; ISO without hyphens; RabbitMQ before 3.7; `25-Nov-2026`, `25. Nov. 2026`; java.util.logging and Kibana; `date`;
syslog (without a year); German; with slashes; with hyphens, the year last; day and month without a year; journald's
export; attributes of log4j's XML; seconds or ms since 1970, at the beginning of a line; a time of day."""

ANY = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", form.pattern) for form in FORMS))
"""Any of these forms; one search rules almost all positions of a line out."""


@dataclass(frozen=True)
class Stamp:
    """A time as written in the log, and its meaning there.

    `moment` is in the year 1 if the log has no date, and in LEAP_YEAR if it has a day without a year. `offset` is the
    offset of the zone, None if neither the line nor an option tells the zone.
    """

    text: str
    moment: datetime
    offset: timedelta | None = None

    @property
    def dated(self) -> bool:
        """Whether the log or the option tells the day and the year."""
        return self.moment.year > LEAP_YEAR

    @property
    def instant(self) -> datetime:
        """The time in UTC if its zone is known, without zone information, to compare times of several zones."""
        if self.offset is None or not self.dated:
            return self.moment
        return self.moment - self.offset

    def within(self, zone: tzinfo | None) -> "Stamp":
        """The time in `zone`, unless it already has a zone."""
        if zone is None or self.offset is not None or not self.dated:
            return self
        return replace(self, offset=self.moment.replace(tzinfo=zone).utcoffset())

    def seen_from(self, zone: tzinfo) -> datetime | None:
        """The clock of `zone` at this time; None if the zone or the date of this time is not known."""
        if self.offset is None or not self.dated:
            return None
        return self.instant.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)


AT_ONCE = 64
"""The number of times that are kept: the readers of a line ask for its time in turn."""
NO_DAY = date(1, 1, 1)
LEAP_YEAR = 4
"""The year given to a day without a year; a leap year, so that 29 February exists."""
CENTURY = 2000
"""The century of a year in two figures."""


def stamp(text: str, position: int = 0, day: date | None = None) -> tuple[Stamp, int] | None:
    """The time at a position of a line, and its end; `day` is the day of a time without a date."""
    for form in FORMS if ANY.match(text, position) else ():
        found = form.match(text, position)
        read = _read(form, found[0], found.groups(), day) if found is not None else None
        if found is not None and read is not None:
            return read, found.end()
    return None


@lru_cache(maxsize=AT_ONCE)
def _read(form: re.Pattern[str], text: str, groups: tuple[str | None, ...], day: date | None) -> Stamp | None:
    """The time of a match of a form; None if the figures are no time."""
    fields = {name: groups[place - 1] for name, place in form.groupindex.items()}
    moment = _since_1970(fields) or _moment(fields, day)
    if moment is None:
        return None
    offset = timedelta(0) if fields.get("epoch") or fields.get("micros") else offset_of(fields.get("zone"))
    return Stamp(_shown(text), moment, offset)


NO_WEEKDAY = re.compile(r"\A[a-z]{2,3} (?=\d{4}-)")
"""A short word in front of a time, such as the name of a container, where other layouts have the weekday."""


ATTRIBUTE = re.compile(r"\A(?:timestamp|timeMillis|epochSecond)=\"|\" nanoOfSecond=\"\d+")
"""The text around a time in an attribute of XML."""


def _shown(text: str) -> str:
    text = text.split("==== ")[-1].strip("[] =").removeprefix("__REALTIME_TIMESTAMP=")
    return NO_WEEKDAY.sub("", ATTRIBUTE.sub("", text).strip('"'))


def offset_of(zone: str | None) -> timedelta | None:
    """The offset of a zone's name; None if there is no name, or the name has several meanings."""
    name = (zone or "").strip()
    if name == "Z":
        return timedelta(0)
    if name in ZONES:
        return timedelta(hours=ZONES[name])
    figures = re.fullmatch(r"([+-])(\d\d):?(\d\d)?", name)
    if figures is None:
        return None
    whole = timedelta(hours=int(figures[2]), minutes=int(figures[3] or 0))
    return (-whole if figures[1] == "-" else whole) if whole < timedelta(hours=24) else None


def fixed(offset: timedelta) -> tzinfo:
    """A zone that has this offset all year."""
    return timezone(offset)


def _since_1970(fields: dict[str, str | None]) -> datetime | None:
    if micros := fields.get("micros"):
        return datetime(1970, 1, 1) + timedelta(microseconds=int(micros))
    if epoch := fields.get("epoch"):
        nanos = (fields.get("nanos") or "").rjust(9, "0")
        fraction = (fields.get("fraction") or fields.get("millis") or nanos)[:6].ljust(6, "0")
        return datetime(1970, 1, 1) + timedelta(seconds=int(epoch), microseconds=int(fraction))
    return None


def _moment(fields: dict[str, str | None], day: date | None) -> datetime | None:
    clock = _clock(fields)
    if clock is None:
        return None
    try:
        found = _date(fields, day)
        return None if found is None else datetime.combine(found, clock)
    except ValueError:
        return None


def _clock(fields: dict[str, str | None]) -> time | None:
    hour, half = int(fields["hour"] or 0), (fields["half"] or "").strip().lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    fraction = (fields["fraction"] or "")[:6].ljust(6, "0")
    try:
        return time(hour, int(fields["minute"] or 0), int(fields["second"] or 0), int(fraction))
    except ValueError:
        return None


def _date(fields: dict[str, str | None], day: date | None) -> date | None:
    """The date of a time, in the year 1 if it has none; None if a word is no month. ValueError for an impossible
    date."""
    year = int(fields.get("year") or 0)
    year += CENTURY if 0 < year < 100 else 0
    if fields.get("one"):
        return _with_slashes(int(fields["one"] or 0), int(fields["other"] or 0), year, american=bool(fields["half"]))
    if fields.get("name"):
        number = month(fields["name"] or "")
        if number is None:
            return None
        return date(year or (day.year if day else LEAP_YEAR), number, int(fields["day"] or 0))
    if fields.get("month"):
        return date(year, int(fields["month"] or 0), int(fields["day"] or 0))
    return day or NO_DAY


def _with_slashes(one: int, other: int, year: int, *, american: bool) -> date:
    """The date of 11/25 or 25/11. 5/6 is read as a month and a day with AM or PM only; otherwise it is no date."""
    if one > 12:
        return date(year or LEAP_YEAR, other, one)
    if other > 12 or american or one == other:
        return date(year or LEAP_YEAR, one, other)
    return NO_DAY
