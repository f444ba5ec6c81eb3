"""What stands in front of a message in a log: time, level, thread, logger, container, host, file and line number.

A message counts only where nothing else stands in front of it, so that a text that quotes a broker's line is not taken
for that line.
"""

import re
from datetime import date

from tidegate.why.times import LEAP_YEAR, Stamp, stamp
from tidegate.why.wrappings import MEETS_ANYTHING, WRAPPINGS

PARTS = tuple(wrapping.compiled for wrapping in WRAPPINGS)
LOGGER = re.compile(r"(?<![\w.@/-])([a-z_]\w*)(?:\.[\w$*~-]+){2,}")
BROKERS = {"o", "org", "q", "qpid", "activemq", "artemis", "javax", "jakarta"}
"""How names of loggers of brokers and their clients begin, also shortened. Another logger quotes, it does not tell."""
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
"""The same of clients and frameworks that say in their own log what a broker told them."""
MOST_TIMES = 6
"""In how many places of a text a record is looked for, the last ones."""
RECORD_LEVEL = re.compile(r"\b(?:INFO|WARN|WARNING|ERROR|SEVERE)\b")
OF_A_RECORD = re.compile(
    r"\b(?:INFO|WARN(?:ING)?|ERROR) .{0,300}\([a-z]+(?:\.[a-z_]+)+\) - "
    r"|\| +(?:INFO|WARN|ERROR) +\| |\[(?:info|warning|error)\] <\d+\.\d+\.\d+> "
)
"""The short names that log records of the Qpid Java broker, ActiveMQ Classic and RabbitMQ have in place of a logger."""
CUT = re.compile(r"\w*roker\.region\.")
"""A logger of Classic in layouts that show the end of a name only."""
PLACE = re.compile(
    r"(?<![\w./+-])(?=\[?(?:\d|=[A-Z]|__REALTIME|[^\W\d_]{2,10}[.,]{0,2} +\d|[^\W\d_]{2,3}\.?,? +[^\W\d_]{3,10}\.? ))"
)
"""Where a time may begin."""
LONGEST = 1500
"""How many characters may stand in front of a message; what has more is a text."""
SEARCHED = 400
"""How many characters of a line are searched for a time."""
FAULT = re.compile(r"Exception|Error|Timeout")


def is_prefix(text: str) -> bool:
    """Whether this is nothing but what logs put in front of messages, or what a page has up to an opening backtick."""
    text = text.rpartition("`")[2]
    if len(text) > LONGEST:
        return False
    position, bars = 0, False
    while position < len(text):
        timed = stamp(text, position) if text[position] in "[=_" or text[position].isalnum() else None
        if timed is not None:
            position = timed[1]
            continue
        for part in PARTS:
            found = part.match(text, position)
            if found is not None and found.end() > position:
                break
        else:
            found = MEETS_ANYTHING.match(text, position) if bars else None
        if found is None:
            return False
        bars = bars or "|" in found[0]
        position = found.end()
    return text.endswith(".") or not foreign(text)


def record_in(text: str) -> str:
    """The beginning of a record (a day and time, a level, a logger) in which a text ends; empty where it ends in none.

    A page may put several records into one line, or one behind a sentence.
    """
    text = text[-LONGEST:].replace("\\n", " ").replace("\\t", " ")
    begins = [place.start() for place in PLACE.finditer(text) if _dated(text, place.start())]
    return next((text[begin:] for begin in begins[-MOST_TIMES:] if _is_record(text[begin:])), "")


def _dated(text: str, position: int) -> bool:
    """Whether a time with its day stands there."""
    timed = stamp(text, position + text.startswith("[", position))
    return timed is not None and timed[0].dated


def _is_record(front: str) -> bool:
    with_logger = RECORD_LEVEL.search(front) is not None and LOGGER.search(front) is not None
    return (with_logger or OF_A_RECORD.search(front) is not None) and is_prefix(front)


def foreign(text: str) -> bool:
    """Whether the logger named there is of neither a broker nor its client."""
    return any(
        found[1] not in BROKERS and not found[0].startswith(CLIENTS) and not FAULT.search(found[0])
        for found in LOGGER.finditer(text)
        if not any(character.isdigit() for character in found[1]) and not CUT.match(found[0])
    )


def time_in(text: str, day: date | None = None) -> Stamp | None:
    """The time in what stands in front of a message; of several the first that tells most: date and zone, date, day."""
    found, position = [], 0
    while (place := PLACE.search(text, position, SEARCHED)) is not None:
        timed = stamp(text, place.start(), day)
        position = timed[1] if timed is not None else place.start() + 1
        if timed is not None:
            found.append(timed[0])
    return max(found, key=_tells, default=None)


def _tells(time: Stamp) -> tuple[bool, bool, bool]:
    return time.dated, time.dated and time.offset is not None, time.moment.year == LEAP_YEAR
