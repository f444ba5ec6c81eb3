"""Times of many lines at once, for those that begin as nearly all do; what is else is left to `iso_time`."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

import numpy as np
import numpy.typing as npt

from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.times import milliseconds

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

WIDTH = 25
"""Bytes looked at: `2026-01-31 23:59:59,123`, and up to two that tell whether a zone follows."""
TEMPLATE = np.frombuffer(b"dddd-dd-ddTdd:dd:ddfddd", dtype=np.uint8)
DIGITS = np.flatnonzero(ord("d") == TEMPLATE)
FIXED = np.flatnonzero(np.isin(TEMPLATE, np.frombuffer(b"-:", dtype=np.uint8)))
DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
FIRST_YEAR = 1970


@dataclass(frozen=True)
class Stamps:
    """ms since the epoch of lines, and which of them were read; the others have 0."""

    times: Numbers
    read: Flags


def stamps(text: npt.NDArray[np.uint8], starts: Numbers, zone: tzinfo) -> Stamps:
    """The times of the lines that start here: with three digits of ms, and no zone or `Z` behind them."""
    if len(text) < WIDTH:
        return Stamps(np.zeros(len(starts), np.int64), np.zeros(len(starts), np.bool_))
    within = starts + WIDTH <= len(text)
    head = text[np.where(within, starts, 0)[:, None] + np.arange(WIDTH)]
    digits = head[:, DIGITS].astype(np.int64) - ord("0")
    read = within & ((digits >= 0) & (digits <= 9)).all(axis=1)
    read &= (head[:, FIXED] == TEMPLATE[FIXED]).all(axis=1)
    read &= np.isin(head[:, 10], [ord(" "), ord("T")]) & np.isin(head[:, 19], [ord(","), ord(".")])
    universal = (head[:, 23] == ord("Z")) & (head[:, 24] == ord(" "))
    read &= universal | ((head[:, 23] == ord(" ")) & ~np.isin(head[:, 24], [ord("Z"), ord("+"), ord("-")]))
    year, month, day = _joined(digits[:, :4]), _joined(digits[:, 4:6]), _joined(digits[:, 6:8])
    hour, minute, second = _joined(digits[:, 8:10]), _joined(digits[:, 10:12]), _joined(digits[:, 12:14])
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    read &= (year > FIRST_YEAR) & (month >= 1) & (month <= 12) & (hour < 24) & (minute < 60) & (second < 60)
    longest = DAYS[np.clip(month, 0, 12)] + ((month == 2) & leap)
    read &= (day >= 1) & (day <= longest)
    seconds = ((_days_since_epoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    local = read & ~universal
    if zone is not UTC and local.any():
        seconds[local], known = _in_utc(seconds[local], zone)
        read[local] &= known
    return Stamps(np.where(read, seconds * 1000 + _joined(digits[:, 14:17]), 0), read)


def _joined(digits: Numbers) -> Numbers:
    number = np.zeros(len(digits), np.int64)
    for column in digits.T:
        number = number * 10 + column
    return number


def _days_since_epoch(year: Numbers, month: Numbers, day: Numbers) -> Numbers:
    """Days of the Gregorian calendar; years are counted from March, so that a leap day is the last of its year."""
    years = year - (month <= 2)
    days = years * 365 + years // 4 - years // 100 + years // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day
    return days - 719_469


def _in_utc(seconds: Numbers, zone: tzinfo) -> tuple[Numbers, Flags]:
    """Local seconds as seconds since the epoch, each distinct one converted as the careful reader does it."""
    distinct, which = np.unique(seconds, return_inverse=True)
    start = datetime(FIRST_YEAR, 1, 1)
    converted = [milliseconds(start + timedelta(seconds=int(each)), zone) for each in distinct]
    known = np.array([not isinstance(each, Unparsed) for each in converted])
    whole = np.array([0 if isinstance(each, Unparsed) else each // 1000 for each in converted], np.int64)
    return whole[which], known[which]
