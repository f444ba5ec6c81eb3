"""Completes lines of brokers whose beginning is missing, as a selection in a terminal or a page cuts them.

The texts of `spec/texts` tell what stood in front. A name or figure that is missing is not made up.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from tidegate.catalogue.log_texts import VALUE, log_texts
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.why.lines import FORMS, artemis, classic, rabbitmq
from tidegate.why.lines.form import GROUPING
from tidegate.why.lines.qpid import NOT_NAMED
from tidegate.why.mentions import is_made_up, is_source_code
from tidegate.why.names import with_clean_names
from tidegate.why.notices import Blocked, Figures, Said

LEAST = 24
"""The least number of characters of a text, without names and figures, that must be left of it."""
LEAST_OF_FIRST = 12
"""The least number of characters that must be left of a text's first words if its end is missing too."""
LEAST_OF_PART = 4
"""The least number of characters of the part in which the line begins."""
DIGITS = re.compile(r"\\?\d+")
"""A figure within a text: a sample's, or that of a code."""
FIGURES = re.compile(r"(?<=[ (=:])\d[\d,.]*(?=[ ),;]|$)")
"""A figure of a sample; a digit of a code or a name is none."""
ANY_FIGURES = ("0", "9" * 15)
"""What may have stood in place of a figure that is missing: as little, and as much."""
END = ".;, "
"""What may be missing at the end of a text."""
LONGEST_VALUE = 80
REST_OF_VALUE = rf"(?P<rest>\S{{0,{LONGEST_VALUE}}}?)"
FIELD, FIGURE = r"\S.{0,300}?", r"[\d.,]{1,24}"
UNNAMED = "a "
"""The beginning of what a client is called that a line does not name."""
ONE_OF_THREE = replace(
    classic.EITHER_MEMORY,
    family="classic beginning missing",
    setting="memoryLimit, memoryUsage, storeUsage or tempUsage",
    where="activemq.xml",
    reason="memory, the store or the temporary store is full; the beginning of the line, which tells which, is missing",
    frees=classic.ROOM,
    change="look up the whole line in the log of the broker",
    rule="",
    tells_limit=False,
)

OPEN = {"artemis": artemis.CUT, "classic": ONE_OF_THREE, "rabbitmq": rabbitmq.BOTH}
"""By product, the cause of a line whose beginning would tell which limit it means."""


@dataclass(frozen=True)
class _Text:
    """A text of a broker or client: its literal parts, and a sample of each value between them."""

    parts: tuple[str, ...]
    samples: tuple[str, ...]

    def up_to(self, place: int, cut: int) -> str:
        """The text in front of a character of one of its parts, with the samples as values."""
        front = "".join(part + sample for part, sample in zip(self.parts[:place], self.samples, strict=False))
        return front + self.parts[place][:cut]


@cache
def _texts() -> tuple[_Text, ...]:
    return tuple(
        {
            _Text(
                tuple(VALUE.split(row.text)[::2]),
                tuple(writer.values_of(row)[name] for name in VALUE.findall(row.text)),
            )
            for writer in log_texts()
            for row in writer.texts
        }
    )


@cache
def _pattern(parts: tuple[str, ...], place: int, cut: int) -> re.Pattern[str]:
    """The pattern of a text from a character of one of its parts on; the rest of a value may stand in front."""
    left = (
        parts[place][cut:],
        *parts[place + 1 : -1],
        *(part.rstrip(END) for part in parts[max(place + 1, len(parts) - 1) :]),
    )
    front = REST_OF_VALUE if place and not cut else ""
    return re.compile(front + FIELD.join(DIGITS.sub(lambda _: FIGURE, re.escape(part)) for part in left))


def completed(line: str) -> Said | None:
    """The statement of the line together with its missing beginning; None if it is no such line, or may be several."""
    line = line.lstrip(" .…\t").rstrip(" …\t")
    if is_source_code(line, 0):
        return None
    rests = [*_rests(line)]
    most = max((rest.explains for rest in rests), default=0)
    told = {said for rest in rests if rest.explains == most for said in _said(rest, line)}
    stops = {said for said in told if isinstance(said, Blocked)}
    if len(stops) < len(told) and stops:  # a release has the same words, and figures below the limit
        stops = {said for said in stops if _is_reached(said.figures)}
        told = set(stops)
    told = told or _cut_at_both_ends(line)
    stops = {said for said in told if isinstance(said, Blocked)}
    if len({said.cause.setting if isinstance(said, Blocked) else "" for said in told}) == 1:
        return max(told, key=lambda said: (isinstance(said, Blocked) and bool(said.place), str(said)))
    if not stops or not all(said.cause.holds for said in stops):
        return None
    products = {said.cause.family.partition(" ")[0] for said in stops}
    places, clients = {said.place for said in stops}, {said.client for said in stops}
    cause = OPEN.get(products.pop()) if len(products) == 1 else None
    if cause is None:
        return None
    place, client = (min(names) if len(names) == 1 else "" for names in (places, clients))
    return Blocked(cause, place, client)


def _cut_at_both_ends(line: str) -> set[Said]:
    """What the whole texts say of which the line may be a part of the first words, and of what follows them.

    Empty if the words have several beginnings with other meanings.
    """
    wholes = {
        text.up_to(place, cut) + line
        for text, place, cut in _starts().get(line[:LEAST_OF_PART], ())
        if place == 0 and len(text.parts[0]) - cut >= LEAST_OF_FIRST and line.startswith(text.parts[0][cut:])
    }
    found = {_cut_text(whole, line) for whole in wholes}
    return {said for said in found if said is not None} if None not in found else set()


def _cut_text(whole: str, line: str) -> Said | None:
    """The statement of a text without its end."""
    for form in FORMS:
        found = form.pattern.match(whole) if form.mark in whole and not form.sets else None
        said = form.says(found.groupdict()) if found is not None else None
        if said is not None:
            return _told_by(line, said)
    return None


def _is_reached(figures: Figures) -> bool:
    return (
        figures.level is not None
        and figures.limit is not None
        and past_high(Gate(figures.limit, figures.limit), figures.level)
    )


@dataclass(frozen=True)
class _Rest:
    """A whole text of which a line may be the rest: what stood in front, and up to where the text explains the line."""

    front: str
    begins: int
    """The position in the line from which on it is taken: the rest of a value is left out."""
    end: int

    @property
    def explains(self) -> int:
        """The number of characters of the line that the text explains."""
        return self.end - self.begins


@cache
def _starts() -> Mapping[str, tuple[tuple[_Text, int, int], ...]]:
    """By the first characters of a rest, each text that may be cut there, with the place of the cut; "" for figures."""
    found: defaultdict[str, list[tuple[_Text, int, int]]] = defaultdict(list)
    for text in _texts():
        for place, part in enumerate(text.parts):
            for cut in range(1, len(part) - LEAST_OF_PART + 1):
                if len("".join([part[cut:], *text.parts[place + 1 :]])) >= LEAST:
                    start = part[cut : cut + LEAST_OF_PART]
                    found["" if DIGITS.search(start) else start].append((text, place, cut))
    return {start: tuple(places) for start, places in found.items()}


def _rests(line: str) -> Iterator[_Rest]:
    """The whole texts of which the line may be the rest."""
    for text, place, cut in (*_starts().get(line[:LEAST_OF_PART], ()), *_starts()[""]):
        if not line.startswith(DIGITS.split(text.parts[place][cut:], maxsplit=1)[0]):
            continue  # the expression is compiled only for a line that may match it
        found = _pattern(text.parts, place, cut).match(line)
        if found is not None:
            yield _Rest(text.up_to(place, cut), 0, found.end())
    near = line[: LONGEST_VALUE + LEAST_OF_PART]
    for text in _texts():
        for place, part in enumerate(text.parts):
            if (
                place
                and len(part) >= LEAST_OF_PART
                and part[:LEAST_OF_PART] in near
                and len("".join(text.parts[place:])) >= LEAST
            ):
                found = _pattern(text.parts, place, 0).match(line)
                if found is not None:
                    yield _Rest(text.up_to(place, 0), found.end("rest"), found.end())


def _said(rest: _Rest, line: str) -> set[Said]:
    """The statements of a whole text, without the samples in it.

    Several if they depend on a figure that is missing: what the line then says cannot be told from its rest.
    """
    fronts = {rest.front, *(FIGURES.sub(any_figure, rest.front) for any_figure in ANY_FIGURES)}
    found = {_said_whole(front + line[rest.begins :], line) for front in fronts}
    return {said for said in found if said is not None}


def _said_whole(text: str, line: str) -> Said | None:
    for form in FORMS:
        found = form.pattern.search(text) if form.mark in text and not form.cut_off and not form.sets else None
        said = form.says(found.groupdict()) if found is not None else None
        if said is not None:
            return _told_by(line, said)
    return None


def _told_by(line: str, said: Said | None) -> Said | None:
    """The statement with the names and figures that the line has."""
    if said is None or not isinstance(said, Blocked):
        return said
    said = with_clean_names(said) if not is_made_up(said) else None
    if not isinstance(said, Blocked):
        return None
    place = said.place if said.place.endswith(NOT_NAMED) or said.place.rpartition("/")[2] in line else ""
    client = said.client if said.client.startswith(UNNAMED) or said.client in line else ""
    figures = said.figures
    plain = re.sub(rf"(?<=\d)[{GROUPING}](?=\d{{3}})", "", line)
    if any(figure is not None and str(figure) not in plain for figure in (figures.level, figures.limit)):
        limit = figures.limit if str(figures.limit) in plain else None
        figures = replace(figures, level=None, limit=limit, resume=None)
    return replace(said, place=place, client=client, figures=figures)
