"""The branches of conditions in a template of Ruby, Jinja, Helm or FreeMarker, also of conditions within others."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from tidegate.explain.vocabulary import Figure, Origin, Word

_TAG = re.compile(
    r"<%(?!=)-?(?P<ruby>.*?)-?%>|\{%-?(?P<jinja>.*?)-?%\}|\{\{-?(?P<helm>.*?)-?\}\}"
    r"|[\[<](?P<freemarker>/?#(?:if|elseif|else|list|switch|macro))\b[^\]>]*[\]>]",
    re.DOTALL,
)
_RUBY_OPENS = re.compile(r"^\s*(?:if|unless|case|while|until|for|begin)\b|\bdo\b\s*(?:\|[^|\n]*\|\s*)?$", re.MULTILINE)
_RUBY_ENDS = re.compile(r"\bend\b")
_RUBY_COMMENT = re.compile(r"(?:^|\s)#[^\n]*")
_ELSE = re.compile(r"\s*(?:else|elsif|elif|elseif)\b")
_JINJA_OPENS = re.compile(r"\s*(?:if|for|block|macro|call|filter)\b")
_JINJA_ENDS = re.compile(r"\s*end\w+\b")
_HELM_OPENS = re.compile(r"\s*(?:if|range|with|define|block)\b")
_HELM_ENDS = re.compile(r"\s*end\b")


class _Part(Protocol):
    @property
    def origin(self) -> Origin: ...


Part = TypeVar("Part", bound=_Part)
Value = TypeVar("Value", Figure, Word)


@dataclass(frozen=True)
class Branches:
    """The branches in which each line of a template stands; without any, all lines stand together."""

    starts: tuple[int, ...] = ()
    """The first lines of the stretches of the text that tags part."""
    paths: tuple[tuple[tuple[int, int], ...], ...] = ()
    """For each stretch, the open conditions, each as its number in the text and the number of its branch."""
    parted: frozenset[int] = frozenset()
    """The lines that hold an `else` themselves: what stands twice in one of them stands in its branches."""

    def exclude(self, one: int, other: int) -> bool:
        """Whether two lines stand in different branches of one condition, so that a file has only one of them."""
        if one == other:
            return one in self.parted
        there = dict(self._path(one))
        return any(there.get(condition, branch) != branch for condition, branch in self._path(other))

    def _path(self, line: int) -> tuple[tuple[int, int], ...]:
        place = bisect_right(self.starts, line) - 1
        return self.paths[place] if place >= 0 else ()


ALL_TOGETHER = Branches()


def branches_of(text: str) -> Branches:
    """The branches in which the lines of a text stand. A line counts to the branch that is open at its begin."""
    starts, paths = [], []
    opened: list[tuple[int, int]] = []
    parted: set[int] = set()
    number = 0
    for tag in _TAG.finditer(text):
        for step in _steps(tag):
            if step > 0:
                number += 1
                opened.append((number, 0))
            elif opened and step < 0:
                opened.pop()
            elif opened:
                condition, branch = opened[-1]
                opened[-1] = (condition, branch + 1)
                parted.add(text.count("\n", 0, tag.start()) + 1)
        starts.append(text.count("\n", 0, tag.end()) + 2)
        paths.append(tuple(opened))
    return Branches(tuple(starts), tuple(paths), frozenset(parted))


def one_of_branches(
    every: Sequence[Part],
    branches: Branches,
    key_of: Callable[[Part], object],
    either: Callable[[Part, Part], Part],
    notes: list[str],
) -> list[Part]:
    """The parts of a file; parts with the same key, in branches that exclude each other, become one part.

    `either` makes one part of two, and a note is added where they differ.
    """
    found: list[Part] = []
    places: dict[object, list[int]] = {}
    for part in every:
        alike = places.setdefault(key_of(part), [])
        at = next((place for place in alike if branches.exclude(found[place].origin.line, part.origin.line)), None)
        if at is None:
            alike.append(len(found))
            found.append(part)
            continue
        both = either(found[at], part)
        if both != found[at]:
            where, what = f"{part.origin.file}:{part.origin.line}", part.origin.part
            notes.append(f"{where}: branches of a template set {what} differently: which one counts is not known")
        found[at] = both
    return found


def in_both(one: Value | None, other: Value | None, unknown: Value) -> Value | None:
    """What two branches set, if it is the same; otherwise `unknown`."""
    return one if (one and one.value) == (other and other.value) else unknown


def first_branches(text: str) -> str:
    """The text of a template without its `else` branches; lines keep their numbers."""
    kept: list[str] = []
    is_else: list[bool] = []
    """For each open condition or loop, whether its `else` branch is read."""
    end = 0
    for tag in _TAG.finditer(text):
        before = text[end : tag.start()]
        kept.append(_lines(before) if any(is_else) else before)
        end = tag.end()
        is_left_out = any(is_else)
        for step in _steps(tag):
            if step > 0:
                is_else.append(False)
            elif is_else and step < 0:
                is_else.pop()
            elif is_else:
                is_else[-1] = True
        is_left_out = is_left_out and any(is_else)
        kept.append(_lines(tag[0]) if is_left_out else tag[0])
    return "".join(kept) + text[end:]


def _steps(tag: re.Match[str]) -> Iterator[int]:
    """What a tag does: 1 for each condition or loop that it opens, -1 for each that it ends, 0 for an `else`."""
    if tag["ruby"] is not None:
        code = _RUBY_COMMENT.sub(" ", tag["ruby"])
        more = len(_RUBY_OPENS.findall(code)) - len(_RUBY_ENDS.findall(code))
        yield from [1 if more > 0 else -1] * abs(more)
        if not more and _ELSE.match(code):
            yield 0
        return
    if (directive := tag["freemarker"]) is not None:
        yield -1 if directive.startswith("/") else 0 if _ELSE.match(directive[1:]) else 1
        return
    code = tag["helm"] if tag["jinja"] is None else tag["jinja"]
    opens, ends = (_HELM_OPENS, _HELM_ENDS) if tag["jinja"] is None else (_JINJA_OPENS, _JINJA_ENDS)
    if _ELSE.match(code):
        yield 0
    elif opens.match(code):
        yield 1
    elif ends.match(code):
        yield -1


def _lines(text: str) -> str:
    return "\n" * text.count("\n")
