"""Tells the role of a broker's message in a text: told by a log, quoted, listed, denied, or part of a program."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from tidegate.why.matches import Message
from tidegate.why.mentions import (
    DENIED,
    HARD_TO_REPRODUCE,
    LOOKED_BEHIND,
    PREVENTED,
    TEMPLATE,
    is_explained,
    is_glossed,
    is_linked,
    is_listed,
    is_made_up,
    is_named,
    is_of_a_case,
    is_of_a_change,
    is_source_code,
    is_under_a_heading,
    without_code,
)
from tidegate.why.names import with_clean_names
from tidegate.why.notices import Notice, Said
from tidegate.why.prefixes import is_prefix, record_in, time_in
from tidegate.why.retyped import SEARCHED
from tidegate.why.texts import in_a_call, is_code, of_a_program

QUOTES = "\"'`"


class Role(Enum):
    """The role of a message in its text."""

    TOLD = auto()
    """A log tells it."""
    QUOTED = auto()
    """Other text stands in front of it."""
    DENIED = auto()
    """The text says that it did not come, asks for it, or links to it."""
    PREVENTED = auto()
    """The text says that it cannot come any more."""
    LISTED = auto()
    """The text lists what may come."""
    OF_A_PROGRAM = auto()
    """It is source code or a comment."""


@dataclass(frozen=True)
class Placed:
    """A message with its role. `front` is the text in front of it, or the record of a log there."""

    role: Role
    said: Said
    front: str
    is_alone: bool = False
    """Whether nothing but a prefix of a log stands in front, and no explanation behind."""
    is_named: bool = False
    """Whether a sentence names the message without reporting it."""


def placed(message: Message, said: Said, text: str, before: Sequence[str], after: Sequence[str]) -> Placed:
    """A message of a line with its role; `said` is its statement, `before` and `after` are the lines around it."""
    front, behind, whole = message.front, message.behind, message.whole
    start, words = message.found.start(), message.found[0]
    if is_made_up(said) and _is_dated(front):
        said = without_code(said)  # a line of a log whose names somebody blanked out
    said = said if is_made_up(said) else with_clean_names(said)
    if any(map(front.__contains__, QUOTES)):  # the words in question stand in front of a quotation mark
        if PREVENTED.search(front):
            return Placed(Role.PREVENTED, said, front)
        if DENIED.search(front) or HARD_TO_REPRODUCE.search(front):
            return Placed(Role.DENIED, said, front)
    if SEARCHED.search(front) or is_linked(whole, message.found):
        return Placed(Role.DENIED, said, front)
    alone = is_prefix(front)
    if not alone and (record := record_in(front)):
        front, alone = record, True
    if time_in(front) is None and (
        TEMPLATE.search(whole, start, start + LOOKED_BEHIND) is not None
        or of_a_program(text, before, after)
        or (not alone and (is_code(text) or in_a_call(front, words[-1] + behind)))
    ):
        return Placed(Role.OF_A_PROGRAM, said, front)
    if is_of_a_change(front) or is_under_a_heading(text, [*before], after) or is_glossed(text, [*before, *after]):
        return Placed(Role.LISTED, said, front)
    tells = alone and not is_explained(front, behind)
    is_about = (
        is_made_up(said)
        or is_of_a_case(front, behind)
        or (not _is_dated_notice(said, front) and is_source_code(whole, start))
    )
    named = not is_about and is_named(front, whole[start:], words)
    if tells and not (is_about or named):
        role = Role.TOLD
    else:
        role = Role.LISTED if is_listed(text, [*before, *after]) else Role.QUOTED
    return Placed(role, said, front, tells, named)


def _is_dated(front: str) -> bool:
    """Whether the text in front of a message is that of a log, with a day and a time."""
    time = time_in(front)
    return time is not None and time.dated and is_prefix(front)


def _is_dated_notice(said: Said, front: str) -> bool:
    """Whether a dated line of a log reports no stop, but for example the start of a broker.

    A line about a start may list settings, which look like source code.
    """
    return isinstance(said, Notice) and is_prefix(front) and time_in(front) is not None
