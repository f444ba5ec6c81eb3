"""What kind of text a line stands in: a log, a sentence about messages, or source code, which tells of no broker."""

import re
from collections.abc import Sequence
from itertools import takewhile

from tidegate.why.prefixes import time_in

LOOKED_AT = 200
"""How many characters of a line are looked at."""
LINES_AROUND = 12
CODE_LINES = 3
"""So many lines of code around a line make it a part of a program."""
COMMENT = re.compile(r"\s*(?://|/\*|%%|<!--)")
HASH = re.compile(r"\s*#{1,6}\s")
"""A heading of markdown where nothing stands around it, else a comment of a script or of a configuration."""
STAR = re.compile(r"\s+\*\s")
"""An item of a list, or a line of a comment that begins and ends in lines around."""
COMMENT_OF_LINES = re.compile(r"\s*(?:/\*|\*/)")
CODE = re.compile(
    "|".join(
        (
            r"(?:\w\(.{0,200}\)| = .{1,200}|^\s*(?:return|throw|break|continue)\b.{0,200});\s*(?://.{0,200})?$",
            r"\)\s*(?:throws \w[\w., ]*)?\{\s*$",
            r"^\s*\}\s*(?:else\b.*|catch\b.*|finally\b.*)?[;)]*\s*$",
            r"(?:\)|\w)\s*->\s*$",
            r"^\s*(?:def|func|function|fn|class|module|defmodule) [\w.:]+.{0,200}[:({]",
            r"^\s*(?:public|private|protected|static|final|import|package|const|let|var|using|namespace)\b.{0,200}\S$",
            r"^\s*assert\w*\b.{0,200}\S$",
            r"^\s*@[A-Z]\w+(?:\(.{0,200}\))?\s*$",
            r"^\s*(?:self|this)\.\w+|\w\(\s*$",
            r"\bdo\s*$|^\s*end[).,;]*\s*$",
            r"^\s*(?:if|elif|for|while|with|try|except)\b.{0,150}:\s*$",
        )
    )
)
"""A statement of a program: how it begins, or how it ends."""
CALL = re.compile(
    r"(?i:\b(?:log(?:ger)?|console|fmt|printf?|println|sprintf|errorf|assert\w*|expect\w*|verify|raise|throw|echo)\b"
    r"[\w.:()]{0,40}[.( ]\s{0,3}.{0,120}$"
    r"|\b(?:new|throw) \w+\s?\(.{0,80}$)"
    r"|[(,\[=]\s{0,3}[bfru@$]{0,2}[\"'`]{1,3}[^\"'`]{0,80}$"
)
"""What a program has in front of a text that it writes or looks for."""
CLOSED = re.compile(
    r"[\"'`]{1,3}\s{0,3}(?:,.{0,80}\)|(?:[)\]]\s{0,3}[;,.)\]:]?|;|\+|<>|~n)\s*$)|[\"'`]{1,3}\s{0,3}(?:\)|\+)"
)
"""What a program has behind such a text."""
SHOWN = re.compile(r"(?:^|[\s:>\[])[\w.]{0,80}(?:Error|Exception|Timeout)\(u?[\"'][^\"']{0,80}$")
STATED = re.compile(
    r"(?:[=&|{,(]\s*|\b(?:new|raise|throw|return|await|yield|from|case|in)\s+)[\w.]*\(u?[\"'][^\"']{0,80}$"
)
"""The code in front of an exception that a program raises."""
ENDED = re.compile(r".[^\"']{0,80}[\"'],?\)[\s\])}>.`]*$")
"""The end of an exception as Python shows it, such as `ResponseError("…")`, behind the last character of a message."""
CONDITION = "amqp:resource-limit-exceeded', "
"""What a Python client has in front of the text of a broker's error: it is shown as a call is written."""
FENCE = re.compile(r"\s*(?:```|~~~)")
STACK = re.compile(r"^\W*File \"[^\"]{1,300}\", line \d|^\s*at [\w.$/@<>`-]+\(|^\W*Traceback \(most recent call last\)")
"""A line of a stack, which has a program's own lines between, and ends in what the program was told."""
LEVEL = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL|SCHWERWIEGEND|WARNUNG)\b"
    r"|\w(?:Exception|Error)\b|\bpanicked at\b|\[(?:info|warn|warning|error|err|crit)\w*\]"
)
NAMES = {
    "artemis": re.compile(
        r"artemis|activemq|hornetq|\b(?:AM|H)Q ?\d{6}|\bAMQ\b|jboss|wildfly|message production", re.I
    ),
    "classic": re.compile(
        r"activemq|\bAMQ\b|producer-flow-control|Usage ?Manager|StoreP|MemoryP|TempP|RequestTimedOut|queue://|topic://",
        re.I,
    ),
    "rabbitmq": re.compile(
        r"rabbit|\bamqp(?!:[a-z-]+(?::|\b(?!/)))|\bRMQ|\bpika\b|celery|oslo|masstransit|easynetq|publisher confirms?\b"
        r"|#method<|memory_high_watermark|disk_free_limit"
        r"|(?:mem|free)_alarm|limit alarm|resource alarm|alarm in effect|low on (?:memory|disk)|connection\.blocked"
        r"|queue limits",
        re.I,
    ),
    "qpid": re.compile(
        r"qpid|\b(?:QUE|CHN|MST|VHT|BRK)-\d{4}|AMQSession|wso2|andes|enforced flow control|depth exceeded", re.I
    ),
    "kafka": re.compile(r"kafka|BufferError|batch creation|Local[\W_]+queue full", re.I),
    "pulsar": re.compile(r"pulsar|persistent://|ProducerBlocked|ProducerQueueIs|backlog quota", re.I),
}
"""The signs of each product in a text; the names of others are a part of each of their messages."""


def of_a_program(line: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a line is a comment, or stands between lines of a program. `before` and `after` are the lines around."""
    front = _of_one_block([text[:LOOKED_AT] for text in reversed(list(before)[-LINES_AROUND:])])
    behind = _of_one_block([text[:LOOKED_AT] for text in after])
    around = [*front, *behind]
    if commented(line, front[:1], around):
        return True
    # where nothing is in front, neither an indent nor a quote, a line stands behind a program and not in it
    if any(map(STACK.search, around)) or not line[:1].isspace():
        return False
    code = sum(map(is_code, around))
    return code >= CODE_LINES and code > sum(time_in(text) is not None for text in around)


def _of_one_block(lines: list[str]) -> list[str]:
    """The lines up to a mark of markdown, where a block of code begins or ends."""
    return list(takewhile(lambda text: FENCE.match(text) is None, lines))


def in_a_call(front: str, behind: str) -> bool:
    """Whether a message is a text that a program writes or looks for, by what stands in front of it and behind."""
    if CONDITION in front or _is_shown(front, behind):
        return False
    return CALL.search(front[-LOOKED_AT:]) is not None and CLOSED.search(behind[:LOOKED_AT]) is not None


def _is_shown(front: str, behind: str) -> bool:
    """Whether a message stands in an exception as Python shows one in a log, and not in one that a program makes."""
    end = front[-LOOKED_AT:]
    return SHOWN.search(end) is not None and STATED.search(end) is None and ENDED.match(behind[:LOOKED_AT]) is not None


def commented(line: str, last: Sequence[str], around: Sequence[str]) -> bool:
    """Whether a line is a comment. `last` is the line in front, and `around` are those in front and behind."""
    if COMMENT.match(line):
        return True
    if HASH.match(line):
        return any(text.strip() for text in last)
    return STAR.match(line) is not None and any(COMMENT_OF_LINES.match(text) for text in around)


def is_code(line: str) -> bool:
    """Whether a line is a statement of a program."""
    return CODE.search(line) is not None


def logged(front: str) -> bool:
    """Whether a program wrote the line that begins so: it has a time, a level, or the class of an exception."""
    return time_in(front) is not None or LEVEL.search(front) is not None


def names(line: str) -> set[str]:
    """The products that a line names."""
    return {product for product, sign in NAMES.items() if sign.search(line)}
