"""What stands in front of a message in a log: time, level, thread, logger, container, host, file and line number.

A message counts only where nothing else stands in front of it, so that a text that quotes a broker's line is not taken
for that line.
"""

import re
from datetime import date

from tidegate.why.times import Stamp, stamp

PARTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s+",
        r"[\w./+@-]*[\w+@-]\.(?:log|out|txt|err|gz)[\w.]*(?::(?:\d+:)?|-\d+-(?!\d\d-))",  # grep -H, with and without -n
        r"[\w./+@-]+:\d+:(?!\d)",
        r"(?:stdout|stderr) [FP](?= )",  # container runtimes
        r"[\w.-]+ +[\w./@-]+\[\d+\]: ",  # journald and syslog
        r"[\w.-]+\s*\|",  # docker compose
        r"\d{1,2}-[A-Z][a-z]{2}(?= )",
        r"[<|]?[A-ZÄÖÜÀ-Þ]{3,15}[>|]?(?=[\s:|,\[(]|\d{4}-|$):?",  # a level, in the language of the machine
        r"[<\[](?:debug|info|notice|warning|warn|error|critical)[>\]]:?",
        r"(?:trace|debug|info|notice|warn|warning|error)(?=[\s:|])",
        r"\[[^\[\]]{0,300}(?:\[[^\[\]]{0,100}\][^\[\]]{0,100})?\]",
        r"\([^()]{0,200}(?:\([^()]{0,100}\)[^()]{0,100})?\)",
        r"\{[^{}]{0,200}\}",
        r"<\d+\.\d+\.\d+>",  # a process of Erlang
        r"(?:Caused by: |Exception in thread \"[^\"]{1,100}\" |Caused by )",
        r"[\w$]+(?:\.[\w$]+)*(?:Exception|Error)(?:: |$)",
        r"[\w$.]+Exception\[errorType=\w+ message=",
        r"(?:level|time|ts|thread|logger|lvl)=(?:\"[^\"]{0,200}\"|\S{1,200})",
        r"(?:msg|message)=\"?",
        r"(?:\w+\.)+(?=$)",
        r"[\w$*~-]+(?:\.[\w$*~-]+)+(?:[:@#]\d*)?",  # a logger
        r"\d+(?=\s)",
        r"[-–—|:,>#*`]+",
    )
)
FIELD = re.compile(r"[^|]{1,100}\|")
"""A column of a layout with bars, which may hold spaces: known as such behind another bar only."""
LOGGER = re.compile(r"(?<![\w.@/-])([a-z_]\w*)(?:\.[\w$*~-]+){2,}")
BROKERS = {"o", "org", "q", "qpid", "activemq", "artemis", "javax", "jakarta"}
"""How names of loggers of brokers and their clients begin, also shortened. Another logger quotes, it does not tell."""
CUT = re.compile(r"\w*roker\.region\.")
"""A logger of Classic in layouts that show the end of a name only."""
COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
FAULT = re.compile(r"Exception|Error")


def is_prefix(text: str) -> bool:
    """Whether this is nothing but what logs put in front of messages."""
    position, bars = 0, False
    while position < len(text):
        timed = stamp(text, position) if text[position] in "[=0123456789" or text[position].isupper() else None
        if timed is not None:
            position = timed[1]
            continue
        for part in PARTS:
            found = part.match(text, position)
            if found is not None and found.end() > position:
                break
        else:
            found = FIELD.match(text, position) if bars else None
        if found is None:
            return False
        bars = bars or "|" in found[0]
        position = found.end()
    return text.endswith(".") or not foreign(text)


def foreign(text: str) -> bool:
    """Whether the logger named there is of neither a broker nor its client."""
    return any(
        found[1] not in BROKERS and not FAULT.search(found[0])
        for found in LOGGER.finditer(text)
        if not any(character.isdigit() for character in found[1]) and not CUT.match(found[0])
    )


def time_in(text: str, day: date | None = None) -> Stamp | None:
    """The first time with a date in what stands in front of a message, or else the first time of a day."""
    first = None
    for place in re.finditer(r"(?<![\w.])\[?(?=\d|=[A-Z]|[A-Z][a-z]{2} )", text[:400]):
        found = stamp(text, place.start(), day)
        if found is None:
            continue
        if found[0].dated:
            return found[0]
        first = first or found[0]
    return first
