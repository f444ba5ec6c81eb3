"""Tells the kinds of text around a line apart: a log, a sentence about messages, or source code, which tells of no
broker."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from tidegate.why.lines.needed import Sign
from tidegate.why.prefixes import time_in

LOOKED_AT = 200
"""The number of characters of a line that are searched."""
LINES_AROUND = 12
CODE_LINES = 3
"""This many lines of code around a line make it part of a program."""
COMMENT = re.compile(r"\s*(?://|/\*|%%|<!--)")
HASH = re.compile(r"\s*#{1,6}\s")
"""A heading of markdown if the line in front is empty, else a comment of a script or configuration."""
STAR = re.compile(r"\s+\*\s")
"""An item of a list, or a line within a comment whose begin and end are in other lines."""
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
            r"^\s*raise [A-Z][\w:.]*(?:, |\()",
            r"^\s*@[A-Z]\w+(?:\(.{0,200}\))?\s*$",
            r"^\s*(?:self|this)\.\w+|\w\(\s*$",
            r"^\s*\??\.\w+!?\(.{0,200}[({)\]];?\s*$|^\s*[\])}]*\)[\])}]*[;,]?\s*$",
            r"\bdo\s*$|^\s*end[).,;]*\s*$",
            r"^\s*\?\w+\(|= \?[A-Z]\w+,?\s*$|#'?[\w.]+'?\{\s*$|-> ct:\w+\(",
            r"^\s*(?:ok|\{ok, \w+\}|[A-Z]\w*) = (?:\w+:)?\w+\(",
            r"^\s*(?:if|elif|for|while|with|try|except)\b.{0,150}:\s*$",
            r"^\s*[a-z]\w*(?:, \w+){0,3} := \S.{0,200}$|^\s*(?:if|for|switch|select) .{1,150} \{\s*$",
        )
    )
)
"""The beginning or the end of a program's statement."""
CALL = re.compile(
    r"(?i:\b(?:log(?:ger)?|console|fmt|printf?|println|sprintf|errorf|assert\w*|expect\w*|verify|raise|throw|echo)\b"
    r"[\w.:()]{0,40}[.( ]\s{0,3}.{0,120}$"
    r"|\b(?:new|throw) \w+\s?\(.{0,80}$)"
    r"|[(,\[=]\s{0,3}[bfru@$]{0,2}[\"'`]{1,3}[^\"'`]{0,80}$"
)
"""The code in front of a text that a program writes or looks for."""
CLOSED = re.compile(
    r"[\"'`]{1,3}\s{0,3}(?:,.{0,80}\)|(?:[)\]]\s{0,3}[;,.)\]:]?|;|\+|<>|~n)\s*$)|[\"'`]{1,3}\s{0,3}(?:\)|\+)"
)
"""The code behind a text that a program writes or looks for."""
SHOWN = re.compile(r"(?:^|[\s:>\[])[\w.]{0,80}(?:Error|Exception|Timeout)\(u?[\"'][^\"']{0,80}$")
STATED = re.compile(
    r"(?:[=&|{,(]\s*|\b(?:new|raise|throw|return|await|yield|from|case|in)\s+)[\w.]*\(u?[\"'][^\"']{0,80}$"
)
"""The code in front of an exception that a program raises."""
ENDED = re.compile(r".[^\"']{0,80}[\"'],?\)[\s\])}>.`]*$")
"""The end of an exception as Python shows it, such as `ResponseError("…")`, from the last character of the message on.
"""
FILLED = re.compile(r"^\s*(?:[fF][rR]?|[rR][fF]|\$@?|@\$)[\"']{1,3}[^\"']{0,120}$")
"""The front of a message in a text that a program fills in: an element of a list, or an argument in its own line."""
CONDITION = "amqp:resource-limit-exceeded', "
"""The text in front of a broker's error in a Python client, which shows the error in the form of a call."""
FENCE = re.compile(
    r"\s*(?:```|~~~|(?:\{(?:noformat|code|quote|panel)(?::[^{}]{0,200})?\}|\[/?(?:code|quote|pre)(?:=[^\[\]]{0,40})?\]"
    r"|</?(?:pre|code|blockquote)\b[^<>]{0,200}>|#\+(?:BEGIN|END)_[A-Z]+.{0,40}|\\(?:begin|end)\{verbatim\})\s*$)",
    re.IGNORECASE,
)
"""A line in which a block of quoted text begins or ends: in markdown, a wiki, a tracker, a forum, or HTML."""
STACK = re.compile(r"^\W*File \"[^\"]{1,300}\", line \d|^\s*at [\w.$/@<>`-]+\(|^\W*Traceback \(most recent call last\)")
"""A line of a stack; code stands between such lines, but the message at the end was received."""
LEVEL = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL|SCHWERWIEGEND|WARNUNG)\b"
    r"|\w(?:Exception|Error)\b|\bpanicked at\b|\[(?:info|warn|warning|error|err|crit)\w*\]"
)
NAMES = {
    "artemis": Sign(
        r"artemis|activemq|hornetq|\b(?:AMQ|HQ) ?\d{6}|\bAMQ\b|jboss|wildfly|message production"
        r"|max[ -]disk[ -]usage|max-size-bytes|global-max-size",
        re.I,
    ),
    "classic": Sign(
        r"activemq|\bAMQ\b|producer-flow-control|Usage ?Manager|StoreP|MemoryP|TempP|RequestTimedOut|queue://|topic://",
        re.I,
    ),
    "rabbitmq": Sign(
        r"rabbit|\bbunny\b|\bamqp(?!:[a-z-]+(?::|\b(?!/)))|\bRMQ|\bpika\b|celery|oslo|masstransit|easynetq"
        r"|publisher confirms?\b|#method<|memory_high_watermark|disk_free_limit"
        r"|(?:mem|free)_alarm|limit alarm|resource alarm|alarm in effect|low on (?:memory|disk)|connection\.blocked"
        r"|queue limits",
        re.I,
    ),
    "qpid": Sign(
        r"qpid|\b(?:QUE-|CHN-|MST-|VHT-|BRK-)\d{4}|AMQSession|wso2|andes|enforced flow control|depth exceeded", re.I
    ),
    "kafka": Sign(r"kafka|BufferError|batch creation|Local[\W_]+queue full", re.I),
    "pulsar": Sign(r"pulsar|persistent://|ProducerBlocked|ProducerQueueIs|backlog quota", re.I),
}
"""The signs of each product in a text; the messages of other products contain the product's name."""


def of_a_program(line: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a line is a comment or stands between lines of a program. `before` and `after` are the lines around."""
    front = _of_one_block([text[:LOOKED_AT] for text in reversed(list(before)[-LINES_AROUND:])])
    behind = _of_one_block([text[:LOOKED_AT] for text in after])
    around = [*front, *behind]
    if commented(line, front[:1], around):
        return True
    # a line without an indent or a quote in front stands behind a program, not in it
    if any(map(STACK.search, around)) or not line[:1].isspace():
        return False
    code = sum(map(is_code, around))
    return code >= CODE_LINES and code > sum(time_in(text) is not None for text in around)


def _of_one_block(lines: list[str]) -> list[str]:
    """The lines up to a markdown fence, where a block of code begins or ends."""
    return list(takewhile(lambda text: FENCE.match(text) is None, lines))


def in_a_call(front: str, behind: str) -> bool:
    """Whether a program writes or looks for the message, judged by the text in front and behind."""
    if CONDITION in front or _is_shown(front, behind):
        return False
    if FILLED.match(front[-LOOKED_AT:]) is not None:
        return True
    return CALL.search(front[-LOOKED_AT:]) is not None and CLOSED.search(behind[:LOOKED_AT]) is not None


def _is_shown(front: str, behind: str) -> bool:
    """Whether a message is in an exception that a log shows in Python's form, and not in one that a program
    creates."""
    end = front[-LOOKED_AT:]
    return SHOWN.search(end) is not None and STATED.search(end) is None and ENDED.match(behind[:LOOKED_AT]) is not None


def commented(line: str, last: Sequence[str], around: Sequence[str]) -> bool:
    """Whether a line is a comment. `last` is the line in front; `around` are the lines in front and behind."""
    if COMMENT.match(line):
        return True
    if HASH.match(line):
        return line[:1].isspace() or any(text.strip() and not _above(text, line) for text in last)
    return STAR.match(line) is not None and any(COMMENT_OF_LINES.match(text) for text in around)


def _above(line: str, heading: str) -> bool:
    """Whether a line is a heading of a higher level than another heading."""
    levels = [len(text) - len(text.lstrip("#")) for text in (line, heading)]
    return 0 < levels[0] < levels[1]


def is_code(line: str) -> bool:
    """Whether a line is a statement of a program."""
    return CODE.search(line) is not None


def logged(front: str) -> bool:
    """Whether a program logged a line with this beginning: it has a time, a level, or the class of an exception."""
    return time_in(front) is not None or LEVEL.search(front) is not None


def names(lines: Iterable[str]) -> set[str]:
    """The products that lines name."""
    found: set[str] = set()
    for line in lines:
        lowered = line.lower()
        found.update(product for product in NAMES.keys() - found if NAMES[product].found(line, lowered))
    return found
