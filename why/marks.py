"""Tells which lines have the mark of a form: a fast check, because every line of a log is tested."""

from collections import defaultdict
from functools import lru_cache

from tidegate.why import dumps, rows, troubles
from tidegate.why.lines import FORMS
from tidegate.why.lines.form import LineForm
from tidegate.why.needles import Needles

MARKS = tuple(sorted({form.mark for form in FORMS}))
IS_MARK = frozenset(MARKS)


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
SOUGHT = Needles((*MARKS, *troubles.SIGNS, *rows.SOUGHT, *dumps.SIGNS))
BY_END = _by_end()
KINDS = 512
"""The number of sets of signs whose forms are kept: most lines of a log are of a few kinds."""
AT_ONCE = 64
"""The number of texts whose signs are kept: a line is asked again as a neighbour, and by each of its readers."""
LONGEST_END = max(map(len, BY_END))


@lru_cache(maxsize=AT_ONCE)
def signs_of(text: str) -> frozenset[str]:
    """All signs that a line has, in one pass: marks of forms, troubles, names of attributes, and parts of dumps."""
    return frozenset(SOUGHT.found(text))


def marked(text: str) -> bool:
    """Whether a line has the mark of any form."""
    return not signs_of(text).isdisjoint(IS_MARK)


def forms_of(text: str) -> tuple[LineForm, ...]:
    """The forms whose mark a line has, in the order in which they are tried."""
    return forms_with(signs_of(text))


@lru_cache(maxsize=KINDS)
def forms_with(signs: frozenset[str]) -> tuple[LineForm, ...]:
    """The forms whose mark is among these signs, in the order in which they are tried."""
    return tuple(FORMS[place] for place in sorted(place for mark in BY_MARK.keys() & signs for place in BY_MARK[mark]))


def split(end: str, behind: str) -> bool:
    """Whether a mark begins at the end of one text and continues in the next text."""
    last = end.rpartition(" ")[2][-LONGEST_END:]
    for place in range(len(last)):  # a mark whose first part is one word may begin within a word of the text
        for first, rest in BY_END.get(last[place:], ()):
            if end.endswith(first) and behind.startswith(rest):
                return True
    return False
