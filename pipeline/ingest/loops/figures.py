"""Numbers in a text: digits, groups of digits, and times."""

from tidegate.pipeline.compiling import inlined
from tidegate.pipeline.ingest.loops.chunks import CHUNK, byte, decimal, equal, lowest
from tidegate.pipeline.ingest.loops.patterns import LEVEL, LIMIT, NONE, NUMBER, Bytes

SPACE, COMMA, POINT, COLON, DASH, PLUS, ZERO, NINE = map(ord, " ,.:-+09")
BETWEEN, UNIVERSAL, OPEN, CLOSED, BAR = map(ord, "TZ[]|")
SHORTEST, LONGEST = 23, 38
"""Bytes of a time in front of its zone, such as `2026-01-31 23:59:59,123`, and of all that may be looked at."""
MOST_OF_SECOND, OF_MS = 9, 3
"""Digits of a fraction of a second, and those that are read."""
OF_STAMP = sum(1 << at for at, sign in enumerate("dddd-dd-dd dd:dd:dd,ddd") if sign == "d")
"""The bits of those bytes that are digits, and those of all bytes behind."""
BEHIND_STAMP = -1 << SHORTEST
ZONE = 6
"""Bytes of a zone such as `+01:00`."""
MOST_DIGITS, GROUP = 18, 3
"""Digits of a figure that surely fits a column, and of a group of them."""
NOT_PLAIN = -2
"""What is no plain figure is read as this."""


@inlined
def number(text: Bytes, at: int, count: int) -> int:
    """The number that so many digits make."""
    made = 0
    for n in range(at, at + count):
        made = made * 10 + byte(text, n) - ZERO
    return made


@inlined
def digits(text: Bytes, at: int, count: int) -> int:
    """The number that so many bytes make; NONE where one of these is no digit."""
    for n in range(at, at + count):
        if not ZERO <= byte(text, n) <= NINE:
            return NONE
    return number(text, at, count)


@inlined
def figure_end(text: Bytes, begin: int, end: int, kind: int, separator: Bytes) -> int:
    """Where the bytes end that a figure of the kind may hold; at the latest at `end`."""
    for at in range(begin, end, CHUNK):
        held = decimal(text, at)
        if kind in (NUMBER, LIMIT):
            for each in separator:
                held |= equal(text, at, each)
        if kind in (LIMIT, LEVEL):
            held |= equal(text, at, DASH)
        if ~held != 0:
            return min(at + lowest(~held), end)
    return end


@inlined
def figure(text: Bytes, begin: int, end: int, kind: int, separator: Bytes) -> int:
    """The number in a field; NOT_PLAIN where it is not just digits, or digits in groups."""
    if kind in (LIMIT, LEVEL) and end - begin == 2 and text[begin] == DASH and text[begin + 1] == ZERO + 1:
        return -1
    made = count = in_group = 0
    grouped = False
    at = begin
    while at < end:
        digit = digits(text, at, 1)
        if digit != NONE:
            made = made * 10 + digit
            count += 1
            in_group += 1
            at += 1
            continue
        for each in separator:
            if at >= end or byte(text, at) != each:
                return NOT_PLAIN
            at += 1
        if in_group > GROUP or in_group == 0 or (grouped and in_group != GROUP):
            return NOT_PLAIN
        grouped, in_group = True, 0
    if count == 0 or count > MOST_DIGITS or (grouped and in_group != GROUP):
        return NOT_PLAIN
    return made


@inlined
def moment(text: Bytes, at: int) -> tuple[int, bool]:
    """The ms since the epoch of a time such as `2026-01-31 23:59:59,123`, and whether a zone behind it says which.

    NONE for a time with less than three digits of a fraction, with a zone other than `Z` or such as `+01:00`, or of
    another form.
    """
    at += text[at] == OPEN
    if at + LONGEST > len(text):
        return NONE, False
    if text[at + 4] != DASH or text[at + 7] != DASH or text[at + 13] != COLON or text[at + 16] != COLON:
        return NONE, False
    if text[at + 10] not in (SPACE, BETWEEN) or text[at + 19] not in (COMMA, POINT):
        return NONE, False
    are_digits = decimal(text, at)
    if are_digits & OF_STAMP != OF_STAMP:
        return NONE, False
    behind = at + min(lowest(~are_digits & BEHIND_STAMP), SHORTEST - OF_MS + MOST_OF_SECOND)
    zone, east = behind + (text[behind] == SPACE), 0
    zoned = text[zone] == UNIVERSAL
    if zoned:
        behind = zone + 1
    elif text[zone] in (PLUS, DASH) and digits(text, zone + 1, 1) != NONE:
        hours, minutes = digits(text, zone + 1, 2), digits(text, zone + 4, 2)
        if text[zone + 3] != COLON or min(hours, minutes) < 0 or hours > 23 or minutes > 59:
            return NONE, False
        zoned, behind = True, zone + ZONE
        east = (hours * 60 + minutes) * (1 if text[zone] == PLUS else -1)
    if text[behind] not in (SPACE, CLOSED, BAR):
        return NONE, False
    year, month, day = number(text, at, 4), number(text, at + 5, 2), number(text, at + 8, 2)
    hour, minute, second = number(text, at + 11, 2), number(text, at + 14, 2), number(text, at + 17, 2)
    ms = number(text, at + 20, OF_MS)
    if hour > 23 or minute > 59 or second > 59:
        return NONE, False
    # what is before the epoch in some zone is no time
    if year <= 1970 or month < 1 or month > 12 or day < 1:
        return NONE, False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = 30 + (month + month // 8) % 2 if month != 2 else 28 + leap
    if day > longest:
        return NONE, False
    # years are counted from March, so that a leap day is the last of its year
    years = year - (month <= 2)
    days = years * 365 + years // 4 - years // 100 + years // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 719_469
    return (((days * 24 + hour) * 60 + minute - east) * 60 + second) * 1000 + ms, zoned
