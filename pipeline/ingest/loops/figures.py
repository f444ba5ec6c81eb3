"""Numbers in a text: digits, groups of digits, and times."""

from headgate.pipeline.compiling import compiled, inlined
from headgate.pipeline.ingest.loops.patterns import LEVEL, LIMIT, NONE, Bytes
from headgate.pipeline.ingest.loops.pieces import byte

SPACE, COMMA, POINT, COLON, DASH, PLUS, ZERO, BETWEEN, UNIVERSAL, OPEN, CLOSED, BAR = map(ord, " ,.:-+0TZ[]|")
SHORTEST, LONGEST = 23, 38
"""Bytes of a time in front of its zone, such as `2026-01-31 23:59:59,123`, and of all that may be looked at."""
MOST_OF_SECOND, OF_MS = 9, 3
"""Digits of a fraction of a second, and those that are read."""
ZONE = 6
"""Bytes of a zone such as `+01:00`."""
MOST_DIGITS, GROUP = 18, 3
"""Digits of a figure that surely fits a column, and of a group of them."""
NOT_PLAIN = -2
"""What is no plain figure is read as this."""


@inlined
def digits(text: Bytes, at: int, count: int) -> int:
    """The number that so many digits make; NONE where one of these is none."""
    number = 0
    for n in range(at, at + count):
        digit = byte(text, n) - ZERO
        if digit < 0 or digit > 9:
            return NONE
        number = number * 10 + digit
    return number


@compiled
def figure(text: Bytes, begin: int, end: int, kind: int, separator: Bytes) -> int:
    """The number in a field; NOT_PLAIN where it is not just digits, or digits in groups."""
    if kind in (LIMIT, LEVEL) and end - begin == 2 and text[begin] == DASH and text[begin + 1] == ZERO + 1:
        return -1
    number = count = in_group = 0
    grouped = False
    at = begin
    while at < end:
        digit = digits(text, at, 1)
        if digit != NONE:
            number = number * 10 + digit
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
    return number


@compiled
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
    behind = at + SHORTEST
    while behind < at + SHORTEST - OF_MS + MOST_OF_SECOND and digits(text, behind, 1) != NONE:
        behind += 1
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
    year, month, day = digits(text, at, 4), digits(text, at + 5, 2), digits(text, at + 8, 2)
    hour, minute, second = digits(text, at + 11, 2), digits(text, at + 14, 2), digits(text, at + 17, 2)
    ms = digits(text, at + 20, OF_MS)
    if min(hour, minute, second, ms) < 0 or hour > 23 or minute > 59 or second > 59:
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
