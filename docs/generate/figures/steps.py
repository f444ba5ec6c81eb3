"""A value that changes step by step, with its thresholds and the times at which the producer is blocked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from generate.figures.drawing import LINE, WIDTH, Figure, Point, box, dot, figure_text, line, path, text

LEFT, RIGHT = 44, WIDTH - 10
TOP, BOTTOM = 44, 184
HEIGHT = BOTTOM + 40


@dataclass(frozen=True)
class Step:
    """The drawn value, whether the producer is blocked, and the place along the drawing."""

    value: int
    blocked: bool
    along: int


@dataclass(frozen=True)
class Threshold:
    """A value at which something changes, with its label."""

    value: int
    word: str
    above: bool = True
    """Whether the label stands above the line."""


@dataclass(frozen=True)
class Event:
    """The number of a step with a dot, and its row in the table beside the drawing."""

    step: int
    row: tuple[str, str]
    bad: bool = False


@dataclass(frozen=True)
class Course:
    """A drawing: the steps, and the texts beside them."""

    name: str
    title: str
    describes: str
    of: str
    """The meaning of the value, with its unit, such as `credits left`."""
    along: str
    """The meaning of a step, such as `messages sent, then taken`."""
    steps: tuple[Step, ...]
    thresholds: tuple[Threshold, ...]
    events: tuple[Event, ...]
    blocked_word: str = "blocked"


def drawn(course: Course) -> Figure:
    """The drawing of a course. ValueError if it has fewer than two steps."""
    if len(course.steps) < 2:
        raise ValueError(f"{course.title}: expected two steps or more")
    highest = max(*(step.value for step in course.steps), *(one.value for one in course.thresholds), 1)
    across = course.steps[-1].along

    def at(along: float, value: float) -> Point:
        return Point(LEFT + (RIGHT - LEFT) * along / across, BOTTOM - (BOTTOM - TOP) * value / highest)

    return Figure(
        name=course.name,
        title=course.title,
        describes=course.describes,
        height=HEIGHT,
        parts=tuple(_parts(course, at)),
        heads=(course.along, "what happens"),
        rows=tuple(event.row for event in course.events),
    )


def stretches(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """The beginning and the end of each stretch in which the producer is blocked, along the drawing."""
    for blocked, members in groupby(enumerate(steps), key=lambda numbered: numbered[1].blocked):
        numbers = [number for number, _ in members]
        if blocked:
            yield steps[numbers[0]].along, steps[min(numbers[-1] + 1, len(steps) - 1)].along


def _parts(course: Course, at: Callable[[float, float], Point]) -> Iterator[str]:
    last = course.steps[-1].along
    for first, end in stretches(course.steps):
        corner, far = at(first, 0).x, at(end, 0).x
        yield box(Point(corner, TOP - 6), max(far - corner, 2), BOTTOM - TOP + 6, "stopped")
        yield text(Point((corner + far) / 2, TOP - 10), course.blocked_word, anchor="middle", css_class="bad")
    yield text(Point(2, 14), course.of, css_class="quiet")
    yield line(at(0, 0), at(last, 0), "axis")
    yield line(at(0, 0), Point(LEFT, TOP - 6), "axis")
    yield text(Point(LEFT - 6, BOTTOM + 4), "0", anchor="end", css_class="quiet")
    yield text(Point(RIGHT, BOTTOM + LINE + 14), f"{course.along} →", anchor="end", css_class="quiet")
    for one in course.thresholds:
        here = at(0, one.value)
        yield line(here, at(last, one.value), "threshold")
        yield text(Point(LEFT - 6, here.y + 4), figure_text(one.value), anchor="end", css_class="strong")
    yield path(tuple(at(step.along, step.value) for step in course.steps), "level")
    for event in course.events:
        step = course.steps[event.step]
        yield dot(at(step.along, step.value), "bad" if event.bad else "good")
    for one in course.thresholds:
        y = at(0, one.value).y
        yield text(Point(LEFT + 8, y - 5 if one.above else y + LINE - 2), one.word, css_class="halo")
