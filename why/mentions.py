"""Recognises texts that quote or describe a broker's line: source code, templates, tables, links and guides."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from tidegate.why.notices import Blocked, Said
from tidegate.why.prefixes import is_prefix, time_in

CELL = re.compile(r"\s*\|(?:[^|]{0,500}\|)*[^|`]{0,100}`[^|`]{0,100}")
"""The text in front of a backticked message, with the class of its exception, in a row of a markdown table: the table
describes messages, it is no log."""
ROW, COLUMNS = re.compile(r"\|"), 4
"""What stands between the columns of a row in markdown, and the least number of it in a table of three columns."""
WORD = re.compile(r"[^\W\d_]{3}")
NO_NAME = re.compile(
    r"(?:\w+(?:://|@| ))?(?:…|\.{2,3}|<[\w -]{1,40}>|\$?\{\w{0,40}\}|%[sdv]|\$[A-Z_]{1,40}|~[ps]"
    r"|(?:YOUR_|MY_)?(?:QUEUE|TOPIC|ADDRESS|DESTINATION|NODE|HOST)_?NAME)"
)
"""A text in place of a name in texts about a message: an ellipsis, `<name>`, QUEUE_NAME, or a placeholder of source
code."""
HEADING = re.compile(r"\s*#{1,3} +[^\W\d_][\w ,/()-]{3,80}:?\s*")
"""A comment of words alone; a command behind the prompt of root has other characters or is shorter."""
COMMANDS = re.compile(r"\s*#{1,3} +(?:sudo|docker|kubectl|rabbitmq\S*|activemq|artemis|qpid\S*|curl|grep|cat|tail)\b")
GLOSSED = re.compile(
    r"\s*(?:[-*+]|\d{1,2}[.)]) +`[^`]{3,200}`(?:[\s/,]{1,3}(?:or )?`[^`]{1,200}`)*(?::|:? +(?:[-–—=]|->|→)) +\w"
)
"""An item of a list with a text in backticks, a dash, and the meaning of the text."""
GLOSSES = 3
"""This many such items side by side list what may be written, as a guide to a log does."""
CONDITION = re.compile(
    r"\b(?:[A-Za-z]\w+(?= {0,3}==)|[A-Za-z]\w*_\w*_\w+)"
    r"(?:\{[^{}]{0,400}\})?(?:\[\w{1,9}\])?\)*(?: (?:by|without) ?\([^()]{0,200}\))?\)*"
    r" {0,3}(?:={2,3}|!=|[<>]=|[<>](?= )) {0,3}(?:bool )?\d"
)
"""A figure of a monitor beside the value with which a rule compares it."""
ABOUT_METRICS = re.compile(r"\s*# (?:HELP|TYPE|UNIT) \w")
"""A comment that Prometheus asks for above each figure."""
HEADINGS = 2
"""This many comments, each above a line of its own, make a list of what may be written."""
SOURCE = re.compile(
    r"(?<!:)\{\w{0,40}\}(?! -)|\{\d{1,2},\w{1,20}\}|%[-+ 0#]{0,3}\d{0,3}[sd](?![a-z]{3})|[\"']\s{0,3}\+|\+\s{0,3}[\"']"
    r"|\$\{|~t?[nps]\b|\"\)+;?\s*$|'\)+;\s*$|<< (?!(?<=<<< )ERROR\b)|<<\"(?![^\"]{0,300}\">>)|(?:true|false);\s*$"
    r"|(?<![=!<>])= ?(?:true|false|nil|null|None|True|False)\s?[,;]|\": (?:True|False|None)\b"
)
"""Signs of source code in a text or beside it: a placeholder (no logger in braces), a joined next part, the end of a
statement."""
TEMPLATE = re.compile(r"\{\{[^{}\n]{0,100}\}\}|<%=")
"""A placeholder of a template, such as a rule of a monitor."""
POLICY = re.compile(r"\b(?:PAGE|BLOCK|FAIL|DROP)\b")
SEVERAL_POLICIES = 3
CODE = re.compile(r"[\"'+]")
"""Characters that no name has, but that stand between parts of a text in source code."""
DENIED = re.compile(
    r"\b(?:not|never|no longer|n't)\b[^.;:,]{0,40}"
    r"\b(?:receive[ds]?|see|saw|seen|get|got|shown?|find|found|log(?:ged)?)\b[^.;,]{0,60}[\"'`]\W{0,3}\Z"
)
"""The words of a sentence in front of a quoted message that did not come."""
PREVENTED = re.compile(
    r"\b(?:prevents?|preventing|avoids?|avoiding)\b[^.;:,]{0,40}[\"'`]\W{0,3}(?:\w+: )?\Z", re.IGNORECASE
)
"""The words of a sentence in front of a quoted message that cannot come any more."""
HARD_TO_REPRODUCE = re.compile(
    r"\b(?:hard|difficult|impossible|(?:not|n't)\b[^.;:]{0,30}\b(?:able|possible))\b[^.;:]{0,60}"
    r"\b(?:triggers?|reproduce|simulate|provoke)\b[^.;:,]{0,40}[\"'`]\W{0,3}\Z",
    re.IGNORECASE,
)
"""The words of a sentence in front of a quoted message that somebody tried to have and mostly did not get."""
CHANGE = re.compile(
    r"\W*(?:\[(?:fix(?:e[sd])?|feat|feature|improve|improvement|refactor|cleanup|docs?)\](?=[\s\[])"
    r"|(?:fix|feat|docs|refactor|perf)(?:\([\w., -]{1,40}\))?!?:\s)",
    re.IGNORECASE,
)
"""The beginning of the title of a change to a program: the title says what the change is about."""
IN_A_CASE = re.compile(r"(?: \w+){0,2},? (?:when|whenever|if|unless) \w")
"""Words behind a message that say in which case it comes."""
MESSAGE_OF_CLASSIC = "Message {commandId = "
LINK = re.compile(r"[`*_]{0,3}\]\(")
"""The text behind a link's own text in markdown."""
GOES_ON = re.compile(r",? [a-z]{2,} [\w(]")
"""Words of a sentence behind a name."""
TOLD = re.compile(r"[\d'\"]")
"""A figure or a name in a message; without one, a message in a sentence is only mentioned."""
NAME = 30
"""A found text with fewer characters is no more than the name of a message."""
LOOKED_BEHIND = 300
"""The number of characters from the beginning of a message in which signs of source code are searched."""


def is_explained(front: str, behind: str) -> bool:
    """Whether a message stands in a table row whose other cells say more."""
    if CELL.fullmatch(front) is None:
        return False
    others = [*front.split("|")[1:], *behind.split("|")[1:]]
    return any(WORD.search(cell) for cell in others)


def is_listed(line: str, around: Iterable[str]) -> bool:
    """Whether a line is a row without a time in a table of several columns, which lists what may be written."""
    rows = [text for text in around if len(ROW.findall(text)) >= COLUMNS]
    return (
        len(ROW.findall(line)) >= COLUMNS
        and len(rows) > 1
        and line.lstrip(" >").startswith("|")
        and time_in(line) is None
    )


def is_under_a_heading(line: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a line without a time stands under a comment in a list of messages that has a comment above each."""
    if not before or not _is_heading(before[-1]) or time_in(line) is not None:
        return False
    headings = sum(_is_heading(text) and bool(behind.strip()) for text, behind in pairwise([*before, line, *after]))
    return headings >= HEADINGS


def is_glossed(line: str, around: Iterable[str]) -> bool:
    """Whether a line without a time is an item of a list that says what each text of a log means."""
    if GLOSSED.match(line) is None or time_in(line) is not None:
        return False
    return sum(GLOSSED.match(text) is not None for text in (line, *around)) >= GLOSSES


def is_condition(text: str) -> bool:
    """Whether a line compares a figure with a value, as a rule of a monitor does; that tells no value."""
    return CONDITION.search(text) is not None


def _is_heading(text: str) -> bool:
    if HEADING.fullmatch(text) is None:
        return False
    return COMMANDS.match(text) is None and ABOUT_METRICS.match(text) is None


def without_code(said: Said) -> Said:
    """The statement without names that are code or placeholders."""
    if not isinstance(said, Blocked):
        return said
    names = (said.place, said.client)
    place, client = ("" if CODE.search(name) or NO_NAME.fullmatch(name) else name for name in names)
    return replace(said, place=place, client=client)


def is_of_a_change(front: str) -> bool:
    """Whether a message stands in the title of a change to a program."""
    return time_in(front) is None and CHANGE.match(front) is not None


def is_of_a_case(front: str, behind: str) -> bool:
    """Whether a text says in which case a message comes; a line with a time reports that it came."""
    return time_in(front) is None and IN_A_CASE.match(behind) is not None


def is_named(front: str, behind: str, message: str) -> bool:
    """Whether a sentence gives a message's name in backticks and nothing more of the message."""
    sentence, quoted, _ = front.rpartition("`")
    message = message.rstrip("`")
    if not quoted or not behind[len(message) :].startswith("`"):
        return False
    if len(message) < NAME and not is_prefix(sentence):
        return True
    # in a list of what may be written, the name stands at the beginning of its sentence
    goes_on = GOES_ON.match(behind, len(message) + 1) is not None
    return goes_on and TOLD.search(message) is None and time_in(sentence) is None


def is_linked(whole: str, found: re.Match[str]) -> bool:
    """Whether the mere name of a message is the text of a link, which leads to a page about the message."""
    return found.end() - found.start() < NAME and LINK.match(whole, found.end()) is not None


def is_source_code(whole: str, start: int) -> bool:
    """Whether a message stands in source code; the message fields that Classic shows behind a message are no source
    code."""
    shown = whole.find(MESSAGE_OF_CLASSIC, start)
    end = start + LOOKED_BEHIND if shown < 0 else min(shown, start + LOOKED_BEHIND)
    return SOURCE.search(whole, start, end) is not None


def is_made_up(said: Said) -> bool:
    """Whether a message has a placeholder in place of a name."""
    return isinstance(said, Blocked) and (NO_NAME.fullmatch(said.place) or NO_NAME.fullmatch(said.client)) is not None


def goes_through_policies(lines: list[str]) -> bool:
    """Whether a text describes each policy of a full address. Then a message in the text is no line of a broker."""
    return len(set(POLICY.findall(" ".join(lines)))) >= SEVERAL_POLICIES
