"""Drawings as SVG within a page: colours come from the style sheet, texts from the caller.

Lengths are in units of the drawing, which is 360 wide: as many pixels as a phone shows, so that a text of 12 is 12 px
there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

WIDTH = 360
TEXT = 12
LINE = 16
"""The distance between two lines of text."""
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Point:
    """A place in a drawing, from its upper left corner."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"{self.x:.4g},{self.y:.4g}"


@dataclass(frozen=True)
class Figure:
    """A drawing with its texts: a title, a description for screen readers and the caption, and its figures as a table.

    `rows` are the contents of the drawing, each a place and what happens there, under `heads`.
    """

    name: str
    title: str
    describes: str
    """The drawing described in sentences that need no picture."""
    height: float
    parts: tuple[str, ...]
    heads: tuple[str, str]
    rows: tuple[tuple[str, str], ...]

    @property
    def svg(self) -> str:
        """The drawing, with a title and a description."""
        ids = f"{self.name}-title {self.name}-text"
        return "\n".join(
            (
                f'<svg viewBox="0 0 {WIDTH} {self.height:.4g}" role="img" aria-labelledby="{ids}">',
                f'<title id="{self.name}-title">{escape(self.title)}</title>',
                f'<desc id="{self.name}-text">{escape(self.describes)}</desc>',
                *self.parts,
                "</svg>",
            )
        )

    @property
    def html(self) -> str:
        """The figure as HTML for a page."""
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in self.heads)
        rows = "".join(
            f'<tr><th scope="row">{escape(place)}</th><td>{escape(what)}</td></tr>' for place, what in self.rows
        )
        return "\n".join(
            (
                f'<figure class="drawn" id="figure-{self.name}">',
                self.svg,
                f"<figcaption><strong>{escape(self.title)}.</strong> {escape(self.describes)}</figcaption>",
                "<details><summary>The figure as a table</summary>",
                f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>",
                "</details>",
                "</figure>",
            )
        )


def text(at: Point, words: str, *, anchor: Anchor = "start", css_class: str = "") -> str:
    """A line of text with its lower edge at this place."""
    named = f' class="{css_class}"' if css_class else ""
    return f'<text x="{at.x:.4g}" y="{at.y:.4g}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def line(start: Point, end: Point, css_class: str) -> str:
    """A straight line."""
    return f'<line x1="{start.x:.4g}" y1="{start.y:.4g}" x2="{end.x:.4g}" y2="{end.y:.4g}" class="{css_class}"/>'


def path(points: Sequence[Point], css_class: str) -> str:
    """A line through points."""
    return f'<polyline points="{" ".join(map(str, points))}" class="{css_class}"/>'


def arrow(start: Point, end: Point, css_class: str) -> str:
    """An arrowhead without a line, halfway between two points, pointing from `start` to `end`."""
    length = ((end.x - start.x) ** 2 + (end.y - start.y) ** 2) ** 0.5
    along = Point((end.x - start.x) / length, (end.y - start.y) / length)
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    corners = (
        Point(middle.x + 5 * along.x, middle.y + 5 * along.y),
        Point(middle.x - 4 * along.x - 4 * along.y, middle.y - 4 * along.y + 4 * along.x),
        Point(middle.x - 4 * along.x + 4 * along.y, middle.y - 4 * along.y - 4 * along.x),
    )
    return f'<polygon points="{" ".join(map(str, corners))}" class="{css_class}"/>'


def box(corner: Point, width: float, height: float, css_class: str, *, round: float = 0) -> str:
    """A rectangle."""
    return (
        f'<rect x="{corner.x:.4g}" y="{corner.y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="{round}" '
        f'class="{css_class}"/>'
    )


def dot(at: Point, css_class: str) -> str:
    """A small disk."""
    return f'<circle cx="{at.x:.4g}" cy="{at.y:.4g}" r="3.5" class="{css_class}"/>'


def figure_text(number: float) -> str:
    """A figure as the specification writes it: `1,000`."""
    return f"{number:,}"


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last
