"""Tells which lines have the mark of a form: a fast check by four characters, because every line of a log is tested."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tidegate.why.lines import FORMS
from tidegate.why.lines.form import LineForm

MARKS = tuple(sorted({form.mark for form in FORMS}))
LENGTH = 4
"""The number of characters of each mark that are looked up; no mark is shorter."""
USUAL = "etaoinsrhldcumfpgwybvkxjqz ETAOINSRHLDCUMFPGWYBVKXJQZ"
"""The characters of English texts, the most frequent first; any other character is rarer."""


def _rarest(mark: str) -> str:
    """The part of a mark with the rarest characters."""
    parts = [mark[place : place + LENGTH] for place in range(len(mark) - LENGTH + 1)]
    return max(parts, key=lambda part: sum(USUAL.find(each) % (len(USUAL) + 1) for each in part))


def _by_part(marks: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for mark in marks:
        found[_rarest(mark)] += (mark,)
    return dict(found)


def _by_end() -> dict[str, tuple[tuple[str, str], ...]]:
    """The two parts of each mark that a page or mail may wrap at a space, by the last word of the first part."""
    found: defaultdict[str, tuple[tuple[str, str], ...]] = defaultdict(tuple)
    for mark in MARKS:
        for place, character in enumerate(mark):
            if character == " " and place:
                first, rest = mark[:place], mark[place + 1 :]
                found[first.rpartition(" ")[2]] += ((first, rest),)
    return dict(found)


def _by_mark() -> dict[str, tuple[int, ...]]:
    """The places of the forms with each mark among all forms."""
    found: defaultdict[str, tuple[int, ...]] = defaultdict(tuple)
    for place, form in enumerate(FORMS):
        found[form.mark] += (place,)
    return dict(found)


BY_MARK = _by_mark()
BY_PART = _by_part(MARKS)
PARTS = frozenset(BY_PART)
BY_END = _by_end()


def marked(text: str) -> bool:
    """Whether a line has the mark of any form."""
    return any(mark in text for mark in _near(text))


def forms_of(text: str) -> list[LineForm]:
    """The forms whose mark a line has, in the order in which they are tried."""
    return [FORMS[place] for place in sorted(place for mark in _near(text) if mark in text for place in BY_MARK[mark])]


def _near(text: str) -> Iterator[str]:
    """The marks of which the line has the rarest part."""
    parts = PARTS.intersection([text[place : place + LENGTH] for place in range(len(text) - LENGTH + 1)])
    return (mark for part in parts for mark in BY_PART[part])


def split(end: str, behind: str) -> bool:
    """Whether a mark begins at the end of one text and continues in the next text."""
    last = end.rpartition(" ")[2]
    for place in range(len(last)):  # a mark whose first part is one word may begin within a word of the text
        for first, rest in BY_END.get(last[place:], ()):
            if end.endswith(first) and behind.startswith(rest):
                return True
    return False
