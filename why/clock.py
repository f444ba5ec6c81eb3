"""The times of a file's lines, those without a date or a year among them."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from tidegate.why.heard import Heard, Setting
from tidegate.why.prefixes import time_in
from tidegate.why.records import unwrapped
from tidegate.why.texts import FENCE
from tidegate.why.times import LEAP_YEAR, NO_DAY, Stamp

LOOKED_AT = 120
"""The characters at the beginning of a line among which its time is sought."""
HOUR = re.compile(r"\D{0,3}(\d\d):\d\d:\d\d")
DAY_BREAK = 12
"""A time of day that is at least this many hours before the time of the previous line belongs to the next day."""
WRITTEN_WITHIN = timedelta(minutes=2)
"""The longest distance between the last time in a file and the file's modification time at which the latter tells the
day."""


class Clock:
    """The times of the lines of a file. `before` has the lines that were read last; the reader adds to it."""

    def __init__(self, name: str, setting: Setting, before: deque[str]):
        self._name, self._setting, self._before = name, setting, before
        self._zone = setting.zone(name)
        self._hour, self._days = 0, 0

    def of(self, front: str) -> Stamp | None:
        """The time in the text in front of a message; None if there is none."""
        found = time_in(front)
        if found is None:
            return None
        if found.dated or found.moment.year == LEAP_YEAR:
            return self._with_year(found).within(self._zone)
        day = (self._setting.day or NO_DAY) + timedelta(days=self._days)
        there = replace(found, moment=datetime.combine(day, found.moment.time()))
        if self._setting.day is not None:
            there = replace(there, text=f"{found.text} of {day}")
        return there.within(self._zone)

    def of_line_or_before(self, line: str) -> Stamp | None:
        """The time at the beginning of a line, or else of the nearest earlier line that has one."""
        return self.of(line[:LOOKED_AT]) or self.before()

    def before(self, *, of_block: bool = True) -> Stamp | None:
        """The time of the nearest earlier line that begins with a time; `of_block` looks for it only up to the fence
        with which a page begins or ended a block of text: another block has another log."""
        for line in reversed(self._before):
            if of_block and FENCE.match(line):
                return None
            found = self.of((unwrapped(line)[0] if "{" in line else line)[:LOOKED_AT])
            if found is not None:
                return found
        return None

    def count_days(self, line: str) -> None:
        """Count a new day if a line begins with a time of day long before that of the previous line."""
        found = HOUR.match(line)
        if found is not None:
            hour = int(found[1])
            self._days += self._hour - hour >= DAY_BREAK
            self._hour = hour

    def dated_by_file(self, heard: list[Heard]) -> list[Heard]:
        """The statements with a date, if the file's modification time agrees with the time of the last line."""
        last = self.before(of_block=False)
        undated = [each.time for each in heard if each.time is not None and each.time.moment.year < LEAP_YEAR]
        if last is None or last.moment.year >= LEAP_YEAR or not undated:
            return heard
        for written in self._setting.written.get(self._name, ()):
            at = datetime.combine(written.date(), last.moment.time())
            if abs(written - at) <= WRITTEN_WITHIN:
                return [_shifted(each, at - last.moment, self._zone) for each in heard]
        return heard

    def _with_year(self, time: Stamp) -> Stamp:
        day = self._setting.day
        if time.dated or day is None:
            return time
        try:
            return replace(time, moment=time.moment.replace(year=day.year), text=f"{time.text} {day.year}")
        except ValueError:
            return time  # 29 February, but the option's year is no leap year


def kind(time: Stamp) -> tuple[bool, bool, bool]:
    """The kind of a time; only times of one kind can be compared."""
    return time.dated, time.dated and time.offset is not None, time.moment.year == LEAP_YEAR


def are_reversed(times: Sequence[Stamp]) -> bool:
    """Whether a file has the newest line first, as consoles export logs; times of day alone do not show it."""
    if any(not time.dated for time in times) or len({kind(time) for time in times}) > 1:
        return False
    instants = [time.instant for time in times]
    return instants[0] > instants[-1] and instants == sorted(instants, reverse=True)


def _shifted(heard: Heard, shift: timedelta, zone: tzinfo | None) -> Heard:
    time = heard.time
    if time is None or time.moment.year >= LEAP_YEAR:
        return heard
    moment = time.moment + shift
    text = f"{time.text} of {moment.date()}, when the file was written"
    return replace(heard, time=replace(time, moment=moment, text=text).within(zone))
