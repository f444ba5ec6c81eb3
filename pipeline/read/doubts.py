"""Signs in the begin of a log that its lines are not those of one broker, each once and in the order of writing."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice, pairwise

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, mark_in, marked_lines
from tidegate.pipeline.lines.log_form import LogForm
from tidegate.pipeline.lines.times import DATE_TIME, STAMP
from tidegate.record.events import Event

MOST_COMPARED = 200
FEWEST_TWICE = 4
"""The most first lines that are compared, and the fewest different ones that show that all are doubled."""
FEWEST_FALLING = 4
RISES_IN_FALLS = 10
"""The fewest falls of the time that show that the newest lines come first, and the fewest falls for each rise.

A broker's threads write a few lines in another order than that of their times.
"""
FEWEST_SORTED = 10
"""The fewest unlike pairs of lines of one time that show that lines are sorted by their text.

By chance, ten pairs all stand in this order in one of a thousand logs.
"""
FEWEST_BACK = 2
"""The fewest numbers of connections that go back to an address, in lines of their own, in a log of several brokers."""
FIGURE = re.compile(r"\d+")
NO_LETTER = re.compile(r"\W+")
SORTING: tuple[Callable[[str], str], ...] = (str, str.casefold, lambda line: NO_LETTER.sub("", line).casefold())
"""The orders of texts in which programs sort: by bytes, and by letters as in many locales."""
BEFORE_TIME = re.compile(rf"(?P<wrapping>.*?)(?: std(?:out|err) [FP] )?{DATE_TIME}")
"""The text up to a time, without the stream and the tag of a part in which container runtimes write each line (CRI)."""


class Doubt(StrEnum):
    """Why a line that seems to be missing, or one too many, violates no rule for certain."""

    DOUBLED = "each line of the log is there twice"
    SORTED = "the lines of one time are sorted by their text"
    MIXED = "lines of several writers take turns"
    OF_SEVERAL = "lines of several brokers take turns"


NOTES = {
    Doubt.DOUBLED: (
        "each line is there twice, as two appenders of a logger write it; so a line that seems to come twice "
        "violates no rule for certain, and stops count twice; uniq may make one line of two"
    ),
    Doubt.SORTED: (
        "all lines are sorted by their text, so nobody knows which of two lines of one time came first; a rule about "
        "the order of lines is violated for certain nowhere; sort -s -k1,2 keeps lines of one time in their order"
    ),
    Doubt.MIXED: (
        "lines of several writers take turns, as what stands between the two times of each line says; a rule about "
        "earlier lines is violated for certain nowhere, and stops of one name count together; give each writer a file"
    ),
    Doubt.OF_SEVERAL: (
        "lines of several brokers take turns, as connections of one number with two addresses show; a rule about "
        "earlier lines is violated for certain nowhere, and stops of one name count together; give each broker a file"
    ),
}
"""The sentence about a file with a doubt, behind its name."""
OTHERS = "has lines of {forms} too, which are not read; give the lines of each program a file"
MOST_BYTES_OF_OTHERS = 1 << 18
"""The most bytes in which lines of other forms are looked for."""


def doubt_of(log: LogForm, lines: Callable[[], Iterable[str]]) -> str:
    """The doubt that the lines of a log raise; empty without one."""
    if _is_doubled(log, lines()):
        return Doubt.DOUBLED
    if _is_mixed(log, lines()):
        return Doubt.MIXED
    if _is_of_several(log, lines()):
        return Doubt.OF_SEVERAL
    return Doubt.SORTED if _is_sorted(log, lines()) else ""


def other_forms(log: LogForm, text: bytes) -> tuple[str, ...]:
    """The names of other forms that read an event from a line of a text in which this form reads nothing."""
    own, found = CarefulReader(log), [log]
    for form in LOG_FORMS.values():
        # a form that reads the lines of another one, too, is not another program
        of_family = {id(each) for one in found for each in one.statements}
        if of_family.isdisjoint(map(id, form.statements)) and any(
            _is_foreign(own, form, x) for x in _marked(form, text)
        ):
            found.append(form)
    return tuple(each.name for each in found[1:])


def _marked(form: LogForm, text: bytes) -> Iterator[str]:
    return (decoded(text[begin:end]) for _, begin, end in marked_lines(form, text))


def _is_foreign(own: CarefulReader, form: LogForm, line: str) -> bool:
    """Whether the form reads a line as an event, and the log's own form does not look at it."""
    return isinstance(CarefulReader(form).read(line, "", 1), Event) and own.read(line, "", 1) is None


def is_newest_first(times: Iterable[int]) -> bool:
    """Whether the first times of a log fall often enough, and hardly ever rise."""
    steps = [after - before for before, after in pairwise(islice(times, MOST_COMPARED))]
    falls, rises = sum(step < 0 for step in steps), sum(step > 0 for step in steps)
    return falls >= max(FEWEST_FALLING, rises * RISES_IN_FALLS)


def _is_doubled(log: LogForm, lines: Iterable[str]) -> bool:
    """Whether each of the first lines with a time is there twice, or four times and so on, wherever its copy is."""
    timed = list(islice((line for line in lines if log.begins.match(line)), MOST_COMPARED))
    # the copies of the last of many lines may come later
    last = timed[-FEWEST_TWICE:] if len(timed) == MOST_COMPARED else ()
    times = Counter(timed)
    return len(times) >= FEWEST_TWICE and all(count % 2 == 0 for line, count in times.items() if line not in last)


def _is_sorted(log: LogForm, lines: Iterable[str]) -> bool:
    """Whether all lines are sorted by their text, and enough of them have the time of the line before."""
    orders, alike = [*SORTING], set[tuple[str, ...]]()
    for before, after in pairwise(lines):
        orders = [order for order in orders if order(before) <= order(after)]
        if not orders:
            return False
        if before != after and (time := _stamp(before)) and time == _stamp(after) and log.begins.match(after):
            alike.add(tuple(FIGURE.sub("", line) for line in (before, after)))
    return len(alike) >= FEWEST_SORTED


def _stamp(line: str) -> str:
    found = STAMP.match(line)
    return found[0] if found else ""


def _is_mixed(log: LogForm, lines: Iterable[str]) -> bool:
    """Whether the text between two times in front of lines with a mark changes, and changes back."""
    seen: list[str] = []
    # hardly any log has a second time in its lines
    wrapped = 0
    for count, line in enumerate(lines):
        if count > MOST_COMPARED > 2 * wrapped:
            break
        outer = STAMP.match(line)
        own = outer and BEFORE_TIME.match(line, outer.end())
        if not own:
            continue
        wrapped += 1
        mark = mark_in(log, line)
        wrapping = own["wrapping"] if mark and own.end() <= line.index(mark) else ""
        if wrapping and wrapping in seen[:-1]:
            return True
        if wrapping and wrapping not in seen[-1:]:
            seen.append(wrapping)
    return False


def _is_of_several(log: LogForm, lines: Iterable[str]) -> bool:
    """Whether numbers that a broker gives to one connection in each of its runs change their address, and change back.

    A broker that starts anew gives its numbers to new addresses, and never goes back to those of an earlier run. One
    line alone may be wrong, although it has the numbers of two connections.
    """
    if log.numbered is None:
        return False
    addresses, back = dict[str, list[str]](), set[str]()
    for line in lines:
        gone_back = []
        for found in log.numbered.finditer(line):
            seen = addresses.setdefault(found["number"], [])
            if found["address"] in seen[:-1]:
                gone_back.append(found["number"])
            elif found["address"] not in seen:
                seen.append(found["address"])
        back.update(gone_back[:1])
        if len(back) >= FEWEST_BACK:
            return True
    return False
