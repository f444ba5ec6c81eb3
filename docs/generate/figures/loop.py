"""The loop of a gate: the level at which it closes on the way up, and the level at which it opens on the way down."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from generate.figures.drawing import LINE, WIDTH, Figure, Point, arrow, dot, figure_text, line, path, text

State = TypeVar("State")

LEFT, RIGHT = 66, WIDTH - 14
BLOCKED, FREE = 58, 118
AXIS = 140
HEIGHT = 200


@dataclass(frozen=True)
class Walk:
    """The observations of a gate while its level rose by ones up to `top` and fell back to 0.

    `closes` is the first level on the way up at which the producer is blocked, `opens` the first on the way down at
    which it is free again; None if that never happened.
    """

    top: int
    closes: int | None
    opens: int | None


def walked(
    start: State,
    rise: Callable[[State], State],
    fall: Callable[[State], State],
    blocked: Callable[[State], bool],
    top: int,
) -> Walk:
    """Step a state up `top` times and down again, and note where the producer is blocked and released."""
    state, closes, opens = start, None, None
    for level in range(1, top + 1):
        state = rise(state)
        if closes is None and blocked(state):
            closes = level
    if closes is None:
        return Walk(top, None, None)
    for level in range(top - 1, -1, -1):
        state = fall(state)
        if not blocked(state):
            opens = level
            break
    return Walk(top, closes, opens)


def loop(name: str, title: str, of: str, unit: str, walk: Walk) -> Figure:
    """The drawing of a walk; `of` names the owner of the level, such as `the queue`."""

    def at(level: float, y: float) -> Point:
        return Point(LEFT + (RIGHT - LEFT) * level / walk.top, y)

    return Figure(
        name=name,
        title=title,
        describes=" ".join(_sentences(walk, of, unit)),
        height=HEIGHT,
        parts=tuple(_parts(walk, of, unit, at)),
        heads=(f"{unit} in {of}", "the producer"),
        rows=tuple(_rows(walk)),
    )


def _parts(walk: Walk, of: str, unit: str, at: Callable[[float, float], Point]) -> Iterator[str]:
    yield text(Point(LEFT - 8, BLOCKED + 4), "blocked", anchor="end", css_class="bad")
    yield text(Point(LEFT - 8, FREE + 4), "free", anchor="end", css_class="good")
    yield line(at(0, AXIS), at(walk.top, AXIS), "axis")
    yield text(at(0, AXIS + LINE), "0", anchor="middle", css_class="quiet")
    yield text(at(walk.top, AXIS + 3 * LINE + 4), f"{unit} in {of} →", anchor="end", css_class="quiet")
    if walk.closes is None:
        yield path((at(0, FREE), at(walk.top, FREE)), "level")
        return
    end = walk.opens if walk.opens is not None else 0
    yield path((at(0, FREE), at(walk.closes, FREE), at(walk.closes, BLOCKED), at(walk.top, BLOCKED)), "level")
    yield path((at(walk.top, BLOCKED), at(end, BLOCKED)), "level")
    yield line(at(walk.closes, BLOCKED), at(walk.closes, AXIS), "threshold")
    yield arrow(at(walk.closes, FREE), at(walk.closes, BLOCKED), "head")
    yield arrow(at(walk.closes / 2, FREE), at(walk.closes / 2 + 10, FREE), "head")
    yield text(at(walk.closes, BLOCKED - 12 - LINE), "blocks from", anchor="middle")
    yield text(at(walk.closes, BLOCKED - 12), figure_text(walk.closes), anchor="middle", css_class="strong")
    yield dot(at(walk.closes, BLOCKED), "bad")
    if walk.opens is None:
        yield text(at(0, BLOCKED - 12), "never released", css_class="bad")
        return
    yield path((at(walk.opens, BLOCKED), at(walk.opens, FREE)), "level back")
    yield line(at(walk.opens, FREE), at(walk.opens, AXIS), "threshold")
    if walk.closes - walk.opens > walk.top / 12:
        yield arrow(at(walk.opens, BLOCKED), at(walk.opens, FREE), "head")
    yield text(at(walk.opens, AXIS + LINE), figure_text(walk.opens), anchor="end", css_class="strong")
    yield text(at(walk.opens, AXIS + 2 * LINE), "releases at", anchor="end")
    yield dot(at(walk.opens, FREE), "good")


def _sentences(walk: Walk, of: str, unit: str) -> Iterator[str]:
    if walk.closes is None:
        yield f"A producer is free at every level up to {figure_text(walk.top)} {unit}."
        return
    yield f"As {of} fills, a producer is blocked from {figure_text(walk.closes)} {unit} on."
    if walk.opens is None:
        yield f"As {of} empties, it stays blocked, down to 0 {unit}."
        return
    yield f"As {of} empties, it is released at {figure_text(walk.opens)} {unit}."
    if walk.opens + 1 < walk.closes:
        low, high = figure_text(walk.opens + 1), figure_text(walk.closes - 1)
        between = f"From {low} to {high} {unit}" if low != high else f"At {low} {unit}"
        yield f"{between} it stays as it was: blocked or free."


def _rows(walk: Walk) -> Iterator[tuple[str, str]]:
    if walk.closes is None:
        yield f"0 to {figure_text(walk.top)}", "is free"
        return
    released = -1 if walk.opens is None else walk.opens
    if released >= 0:
        yield f"0 to {figure_text(released)}", "is free, and released if it was blocked"
    if released + 1 < walk.closes:
        low, high = figure_text(released + 1), figure_text(walk.closes - 1)
        yield f"{low} to {high}" if low != high else low, "stays as it was"
    yield f"{figure_text(walk.closes)} and more", "is blocked"
