"""Recognises the text in front of a message in a log: time, level, thread, logger, container, host, file and line
number.

A message counts only if nothing else stands in front of it, so that a quotation of a broker's line is not taken for the
line itself.
"""

import re
from datetime import date
from functools import lru_cache

from tidegate.why.times import ANY, LEAP_YEAR, Stamp, stamp
from tidegate.why.wrappings import MEETS_ANYTHING, WRAPPINGS

ANY_PART = re.compile("|".join(f"(?:{wrapping.expression})" for wrapping in WRAPPINGS))
"""The first part that matches; only if its match is empty, the parts behind it are tried too."""
LOGGER = re.compile(r"(?<![\w.@/'-])([a-z_]\w*)(?:\.[\w$*~-]+){2,}")
"""A class with its package; in single quotes it is the name of something else, such as WebLogic's queue of threads."""
BROKERS = {"o", "org", "q", "qpid", "activemq", "artemis", "javax", "jakarta"}
"""The first parts, also shortened, of names of loggers of brokers and their clients. Any other logger quotes a
message."""
CLIENTS = (
    "com.rabbitmq.",
    "c.r.",
    "pika.",
    "proton.",
    "aio_pika.",
    "aiormq.",
    "kombu.",
    "amqp.",
    "oslo",
    "io.smallrye.",
    "io.vertx.",
    "logstash.outputs.rabbitmq",
    "io.nats.",
    "io.moquette.",
    "com.hivemq.",
    "com.solace",
    "com.ibm.",
    "com.azure.",
    "redis.clients.",
    "io.lettuce.",
    "RocketmqClient",
    "rocketmq.",
)
"""The number of places, counted from the end of a text, at which the beginning of a record is searched for."""
MOST_TIMES = 6
"""The number of times, counted from the end of a text, at which a record is assumed to begin."""
RECORD_LEVEL = re.compile(r"\b(?:INFO|WARN|WARNING|ERROR|SEVERE)\b")
OF_A_RECORD = re.compile(
    r"\b(?:INFO|WARN(?:ING)?|ERROR) .{0,300}\([a-z]+(?:\.[a-z_]+)+\) - "
    r"|\| +(?:INFO|WARN|ERROR) +\| |\[(?:info|warning|error)\] <\d+\.\d+\.\d+> "
)
"""The short names in place of a logger in records of the Qpid Java broker, ActiveMQ Classic and RabbitMQ."""
CUT = re.compile(r"\w*roker\.region\.")
"""A logger of Classic in layouts that show only the end of a name."""
PLACE = re.compile(
    r"(?<![\w./+-])(?=\[?(?:\d|=[A-Z]|__REALTIME|(?:time(?:stamp|Millis)|epochSecond)=|"
    r"[^\W\d_]{2,10}[.,]{0,2} +\d|[^\W\d_]{2,3}\.?,? +[^\W\d_]{3,10}\.? ))"
    rf"(?={ANY.pattern})"
)
"""The positions at which a time may begin: no part of a word or a figure, and in the form of a time."""
LONGEST = 1500
"""The most characters in front of a message; a longer text is no prefix."""
SEARCHED = 400
"""The number of characters of a line that are searched for a time."""
AT_ONCE = 256
"""The number of texts whose time is kept: a line is asked again for each message in the lines behind it."""
FAULT = re.compile(r"Exception|Error|Timeout")


COLUMN = re.compile(r"\"?[,;\t]\"?[^\s\",;|]{1,80}(?=\"?[,;\t])|[^\s\",;|]{1,80}(?=[\t;])|\"?[,;\t]\"?(?=\S|$)")
"""A column of one word in a table of tabs, commas or semicolons; it counts only behind a day and a time."""


@lru_cache(maxsize=AT_ONCE)
def is_prefix(text: str) -> bool:
    """Whether the text is nothing but a log's prefix, also with the words of a page up to an opening backtick."""
    text = text.rpartition("`")[2]
    if len(text) > LONGEST:
        return False
    position, bars, dated = 0, False, False
    while position < len(text):
        timed = stamp(text, position) if text[position] in "[=_" or text[position].isalnum() else None
        if timed is not None:
            position, dated = timed[1], dated or timed[0].dated
            continue
        found = _part(text, position)
        if found is None and bars:
            found = MEETS_ANYTHING.match(text, position)
        if found is None and dated:
            found = COLUMN.match(text, position)
        if found is None:
            return False
        bars = bars or "|" in found[0]
        position = found.end()
    return text.endswith(".") or not foreign(text)


def _part(text: str, position: int) -> re.Match[str] | None:
    """The first part of a prefix that matches more than nothing at a position."""
    found = ANY_PART.match(text, position)
    if found is None or found.end() > position:
        return found
    each = (wrapping.compiled.match(text, position) for wrapping in WRAPPINGS)
    return next((one for one in each if one is not None and one.end() > position), None)


def begins_with_time(text: str) -> bool:
    """Whether a line begins with a time and its day."""
    timed = stamp(text)
    return timed is not None and timed[0].dated


def record_in(text: str) -> str:
    """The beginning of a record (day and time, level, logger) at the end of a text; empty if there is none.

    A page may put several records into one line, or a record behind a sentence.
    """
    text = text[-LONGEST:].replace("\\n", " ").replace("\\t", " ")
    begins = [place.start() for place in PLACE.finditer(text) if _dated(text, place.start())]
    return next((text[begin:] for begin in begins[-MOST_TIMES:] if _is_record(text[begin:])), "")


def _dated(text: str, position: int) -> bool:
    """Whether a time with its day stands at a position."""
    timed = stamp(text, position + text.startswith("[", position))
    return timed is not None and timed[0].dated


def _is_record(front: str) -> bool:
    with_logger = RECORD_LEVEL.search(front) is not None and LOGGER.search(front) is not None
    return (with_logger or OF_A_RECORD.search(front) is not None) and is_prefix(front)


def foreign(text: str) -> bool:
    """Whether the text names a logger that belongs to neither a broker nor a client."""
    return any(
        found[1] not in BROKERS and not found[0].startswith(CLIENTS) and not FAULT.search(found[0])
        for found in LOGGER.finditer(text)
        if not any(character.isdigit() for character in found[1])
        and not CUT.match(found[0])
        and not text.startswith("@", found.end())  # a container of Docker Swarm, on a host
    )


@lru_cache(maxsize=AT_ONCE)
def time_in(text: str, day: date | None = None) -> Stamp | None:
    """The time in a prefix; of several times the first of the most complete ones: date and zone, date, day."""
    found, position = [], 0
    while (place := PLACE.search(text, position, SEARCHED)) is not None:
        timed = stamp(text, place.start(), day)
        position = timed[1] if timed is not None else place.start() + 1
        if timed is not None:
            found.append(timed[0])
    return max(found, key=_tells, default=None)


def in_front_of_time(text: str) -> str:
    """The text in front of the first time in a line; empty if the line has no time."""
    places = (place.start() for place in PLACE.finditer(text, 0, SEARCHED))
    return next((text[:place] for place in places if stamp(text, place) is not None), "")


def _tells(time: Stamp) -> tuple[bool, bool, bool]:
    return time.dated, time.dated and time.offset is not None, time.moment.year == LEAP_YEAR
