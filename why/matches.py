"""Finds the messages of brokers and clients in a line, alone and joined with its neighbours."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tidegate.why.lines.form import LineForm
from tidegate.why.lines.qpid import A_CHANNEL, NOT_NAMED
from tidegate.why.marks import forms_of
from tidegate.why.neighbours import together, wrapped
from tidegate.why.notices import Blocked, Notice, Released, Said
from tidegate.why.prefixes import is_prefix


@dataclass(frozen=True)
class Message:
    """A message in a text: its form, its place and its statement."""

    form: LineForm
    whole: str
    """The line, or the line joined with its neighbours."""
    found: re.Match[str]
    said: Said

    @property
    def front(self) -> str:
        """The text in front of the message."""
        return self.whole[: self.found.start()]

    @property
    def behind(self) -> str:
        """The text behind the message."""
        return self.whole[self.found.end() :]


def messages(text: str, before: deque[str], after: Sequence[str]) -> Iterator[Message | None]:
    """The messages in a line, in the order in which forms are tried; None for figures that tell of no reached limit.

    The line is tried alone, then joined with its neighbours, and last as the rest of a line that was cut off.
    """
    forms = forms_of(text)
    whole_lines = [form for form in forms if not form.cut_off]
    yield from _in_text(text, whole_lines, text, 0)
    if whole_lines:
        around = together(text, before, after)
        if any(form.may_match(around) for form in whole_lines):
            for whole, begins in wrapped(text, before, after):
                yield from _in_text(text, whole_lines, whole, begins)
    if len(whole_lines) < len(forms):
        yield from _in_text(text, [form for form in forms if form.cut_off], text, 0)


def _in_text(text: str, forms: Sequence[LineForm], whole: str, begins: int) -> Iterator[Message | None]:
    """The messages of a line in a text, in which the line begins at a character."""
    ends = begins + len(text.strip())
    for form in forms:
        if not form.may_match(whole):
            continue
        matches = [*form.pattern.finditer(whole)]
        told = [(each, form.says(each.groupdict())) for each in matches if each.start() < ends and each.end() > begins]
        told.sort(key=lambda one: says_nothing(one[1]))
        found, said = next((one for one in told if one[1] is not None), (None, None))
        if found is not None and said is not None:
            yield Message(form, whole, found, said)
        elif told or (whole is not text and matches):
            yield None


def with_time_blocked(message: Message, text: str, before: deque[str], after: Sequence[str]) -> Said:
    """The statement with the seconds that a wrapped message tells at its very end, in a text joined with more lines."""
    said, pattern = message.said, message.form.pattern
    if not isinstance(said, Blocked) or said.seconds or "seconds" not in pattern.groupindex:
        return said
    for whole, _ in wrapped(text, before, after):
        again = pattern.match(whole, message.found.start()) if whole.startswith(message.whole) else None
        fuller = message.form.says(again.groupdict()) if again is not None else None
        if not isinstance(fuller, Blocked) or not fuller.seconds or fuller.cause != said.cause:
            continue
        if said.place in ("", fuller.place) and said.client in ("", fuller.client):
            return fuller
    return said


def with_name_in_front(text: str, before: deque[str], after: Sequence[str]) -> tuple[Said, str] | None:
    """The message with the name that a mail left in the line in front, and the text in front of both."""
    forms = forms_of(text)
    for whole, begins in wrapped(text, before, after):
        for form in forms:
            may = begins and not form.cut_off and form.may_match(whole)
            found = form.pattern.search(whole) if may else None
            said = form.says(found.groupdict()) if found is not None else None
            if found is None or said is None or lacks_a_name(said):
                continue
            if is_prefix(whole[: found.start()]):
                return said, whole[: found.start()]
    return None


def says_nothing(said: Said | None) -> bool:
    """Whether figures tell of no reached limit; another message in the same line may tell more."""
    return isinstance(said, Notice) and said.cause is None and not (said.started or said.stopped or said.release)


def lacks_a_name(said: Said) -> bool:
    """Whether a broker's line lacks the name of its queue or channel, for example because its beginning is missing."""
    if not isinstance(said, Blocked | Released):
        return False
    return (said.place or "").endswith(NOT_NAMED) or said.client == A_CHANNEL
