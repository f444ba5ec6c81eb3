"""Joins lines that were broken at a width or by hand, even within words and figures, to the line that was logged.

Lines are joined only if the text of a form spans the break or stands behind it.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, pairwise, takewhile

from tidegate.why.marks import forms_of, marked
from tidegate.why.prefixes import is_prefix, time_in
from tidegate.why.texts import FENCE
from tidegate.why.wrappings import BEGINS_A_BLOCK, ENDS_OF_BLOCKS

OF_A_MAIL = re.compile(r"(?:>\s?)+|\| (?=.*[^|\s]\s*$)")
"""The marks that mails put in front of quoted lines; a row of a table has a bar at its end, too."""
LOOKED_AHEAD = 16
"""The most pieces that a line may have been broken into: 640 characters in lines of 40."""
NARROWEST = 30
"""The least width of a terminal, in characters."""
WIDEST = 160
"""The greatest width, in characters, at which a page or a mail wraps between words."""
LEAST_FULL = 2
"""The least number of full lines, followed by another line, that shows that lines were wrapped."""
PROMPT = re.compile(
    r"\s{0,4}(?:(?:[\w.-]{1,60}@[\w.-]{1,100}[: ~][^$#]{0,80}|\[[^\[\]]{1,100}\] ?|[\w.-]{1,60})?[$#%] ?"
    r"|PS [A-Z]:[^>]{0,100}> ?)?"
    r"(?:sudo |(?:docker|podman|kubectl|oc) .{1,200}? )?"
    r"(?:rabbitmqctl|rabbitmq-diagnostics|rabbitmqadmin|rabbitmq-queues|artemis|activemq|qpid-\w+|curl|jcmd|jstack) \S"
)
"""A command that an operator pasted with its answer, which begins in the next line."""
LEAST_TABS = 2
"""The least number of tabs that makes two lines rows of a table; a log's line may have one tab."""
STRIPPED = 2
"""The number of trailing blanks that a copied line may have lost."""
TIME_WITHIN = 40
"""The number of characters at the beginning of a record in which its time stands."""
OF_A_STACK = re.compile(r"\s+at |\s*\.\.\. \d+ more|Caused by: ")
OF_A_BLOCK = re.compile(BEGINS_A_BLOCK)
OF_XML = re.compile(r"\s*</?(?:log4j:|log:)?(?:[Ee]vent|Instant|[Mm]essage|record|throwable|Thrown)\b")
"""A tag of a record in the XML of log4j or java.util.logging."""
ENDS = " .,;:!'\"`"
"""Characters that may follow a message in its line."""
LAST = re.compile(r"\S*")
"""A text without space, which may be the rest of a name or a figure."""
PLAIN = re.compile(r"[\w.,:/@-]+")
"""The characters of a rest that is alone in its line."""
THROWN = re.compile(r"(?:Exception|, usage) ?:\Z")
"""The end of a line whose message, in the next line, was thrown."""
Span = tuple[int, int]


@dataclass(frozen=True)
class Pieces:
    """Lines that may be pieces of one: the joined text, the positions of the breaks, and whether equal widths prove the
    breaks."""

    text: str
    seams: tuple[int, ...]
    sure: bool


def rewrapped(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Numbered lines; the pieces of a broken line become one line, with the number of the first piece."""
    source = iter(lines)
    ahead = deque(islice(source, LOOKED_AHEAD))
    while ahead:
        number, line = ahead.popleft()
        for pieces in _candidates(line, ahead):
            if _goes_over(pieces):
                line = pieces.text
                for _ in pieces.seams:
                    ahead.popleft()
                break
        yield number, line
        ahead.extend(islice(source, LOOKED_AHEAD - len(ahead)))


def without_mark(line: str) -> str:
    """A line without the marks of a mail that quotes it."""
    found = OF_A_MAIL.match(line)
    return line[found.end() :] if found is not None else line


def _candidates(line: str, ahead: Sequence[tuple[int, str]]) -> Iterator[Pieces]:
    """The texts that a line and the lines behind it may have been: broken at one width, wrapped between words, or two
    pieces broken anywhere."""
    if not ahead or _begins_anew(line, ahead[0][1]) or _are_rows(line, ahead[0][1]) or PROMPT.match(line):
        return
    if line.rstrip().endswith(("}", "]")) and ENDS_OF_BLOCKS.search(line) is not None:
        return
    first = without_mark(line)
    mark = line[: len(line) - len(first)]
    behind = takewhile(lambda text: text.strip() and not _begins_anew(line, text), (text for _, text in ahead))
    pieces = [first, *(_behind_mark(text, mark) for text in behind)]
    if len(pieces) < 2 or not all(piece.strip() for piece in pieces[:2]):
        return
    widest = max(map(len, pieces))
    by_words = _by_words(mark, pieces, widest)
    by_width = _by_width(mark, pieces, max(map(len, pieces[:2])))
    yield from chain(by_width, by_words) if _mostly(widest, pieces) else chain(by_words, by_width)
    yield Pieces(line + pieces[1], (len(line),), sure=False)
    yield Pieces(f"{line.rstrip()} {pieces[1].lstrip()}", (len(line.rstrip()),), sure=False)
    if len(pieces) > 2:
        yield _together(mark, pieces[:3], sure=False)


def _behind_mark(line: str, mark: str) -> str:
    """A line without the mark that a mail puts in front of all its lines."""
    return line[len(mark) :] if mark and line.startswith(mark.rstrip()) else line


def _mostly(width: int, pieces: list[str]) -> bool:
    """Whether most lines, the last excepted, have exactly this width; lines wrapped between words seldom do."""
    return 2 * sum(len(piece) == width for piece in pieces[:-1]) >= len(pieces) - 1


def _by_width(mark: str, pieces: list[str], width: int) -> Iterator[Pieces]:
    """Join lines of one width, the last excepted; blanks that lines lost at their end are restored."""
    full = list(takewhile(lambda piece: max(NARROWEST, width - STRIPPED) <= len(piece) <= width, pieces))
    rest = [piece for piece in pieces[len(full) : len(full) + 1] if len(piece) < width]
    if len(full) + len(rest) > LEAST_FULL:
        yield _together(mark, [*(piece.ljust(width) for piece in full), *rest], sure=True)


def _by_words(mark: str, pieces: list[str], width: int) -> Iterator[Pieces]:
    """Join lines that each have no room for the first word of the next line."""
    full = [one for one, other in pairwise(pieces) if len(one) + 1 + len(next(iter(other.split()), "")) > width]
    if len(full) >= LEAST_FULL and width <= WIDEST and full == pieces[: len(full)]:
        text = [one.rstrip() + ("" if one.endswith("-") else " ") for one in full]
        yield _together(mark, [*text, pieces[len(full)]], sure=False)


def _together(mark: str, pieces: list[str], *, sure: bool) -> Pieces:
    pieces = [mark + pieces[0], *pieces[1:]]
    return Pieces("".join(pieces).rstrip(), tuple(accumulate(map(len, pieces[:-1]))), sure)


def _begins_anew(line: str, behind: str) -> bool:
    """Whether the line behind is certainly no piece of this line: it has its own time, belongs to a stack, is XML, or
    ends a block of quoted text."""
    text = without_mark(behind)
    if text[:4] == without_mark(line)[:4] or any(each.match(text) for each in (OF_A_STACK, OF_A_BLOCK, FENCE)):
        return True
    if "<" in text and OF_XML.match(text) is not None:
        return True
    time = time_in(text[:TIME_WITHIN])
    return time is not None and ":" in time.text  # a mere figure may be part of the broken line


def _are_rows(line: str, behind: str) -> bool:
    """Whether two lines are rows of one table: they have the same number of tabs, at least two."""
    return line.count("\t") == behind.count("\t") >= LEAST_TABS


def _goes_over(pieces: Pieces) -> bool:
    """Whether a form matches more of the joined text than of a single piece."""
    text = pieces.text
    if not marked(text):
        return False
    for start, end in _spans(text):
        # the end of a message may be the end of a piece, too: that says nothing of the breaks within the message
        within = [seam for seam in pieces.seams if start < seam < end]
        over = within or [seam for seam in pieces.seams if seam == end]
        if over and (pieces.sure or not any(_may_be_two(text, seam, (start, end)) for seam in over)):
            return True
        if not over and start >= pieces.seams[0] and _has_its_front_broken(text, pieces.seams, start):
            return True
    return False


def _may_be_two(text: str, seam: int, span: Span) -> bool:
    """Whether a message may also end before the break or begin behind it."""
    first, second = _spans(text[:seam].rstrip(ENDS)), _spans(text[seam:])
    return _may_end(text, seam, span, first) or _may_begin(text, seam, span, second)


def _spans(text: str) -> tuple[Span, ...]:
    """The spans of messages in a text that tell something and are complete."""
    forms = [form for form in forms_of(text) if not form.cut_off and form.may_match(text)]
    found = ((form, each) for form in forms for each in form.pattern.finditer(text))
    return tuple(each.span() for form, each in found if form.says(each.groupdict()) is not None)


def _may_end(text: str, seam: int, span: Span, first: tuple[Span, ...]) -> bool:
    """Whether a message may end with its first line: behind the break stands at most one more word or figure of the
    message.

    `first` has the spans of messages in the first line, without trailing punctuation.
    """
    start, end = span
    if (start, len(text[:seam].rstrip(ENDS))) not in first or _leaves_open(text[start:seam]):
        return False
    rest = text[seam:end].strip()
    of_name = LAST.fullmatch(rest) is not None
    return not rest or (of_name and (text[end:].strip() != "" or PLAIN.fullmatch(rest) is None))


def _leaves_open(text: str) -> bool:
    """Whether a text opens a quotation or a bracket without closing it."""
    return text.count("'") % 2 == 1 or any(text.count(one) > text.count(other) for one, other in ("()", "[]"))


def _may_begin(text: str, seam: int, span: Span, second: tuple[Span, ...]) -> bool:
    """Whether a message may begin with its second line: at most one word of the message stands in front of the
    break."""
    start, end = span
    of_name = LAST.fullmatch(text, start, seam) is not None
    return (0, end - seam) in second and of_name and text[:start].strip() != ""


def _has_its_front_broken(text: str, seams: tuple[int, ...], start: int) -> bool:
    """Whether the text in front of a message is a log's prefix only together with the lines in front."""
    seam = max(each for each in seams if each <= start)
    if THROWN.search(text[:seam].rstrip()) and not text[seam:start].strip():
        return True
    return is_prefix(text[:start]) and not is_prefix(text[seam:start]) and time_in(text[: seams[0]]) is not None
