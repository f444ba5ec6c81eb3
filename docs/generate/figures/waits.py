"""Waiting sends, a line each: how long each waits, when its client reports the wait, and how it ends."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from generate.figures.drawing import LINE, WIDTH, Figure, Point, box, dot, figure_text, line, text

LEFT, RIGHT = 14, WIDTH - 14
ROW = 50
TOP = 12
Ending = Literal["fails", "is stored", "waits on"]


@dataclass(frozen=True)
class Wait:
    """A send: its configuration, the ms that it waited, its end, and the times of its client's notices in ms."""

    configured: str
    waited_ms: int
    ending: Ending
    notices_ms: tuple[int, ...] = ()


def waits(name: str, title: str, over_ms: int, sends: tuple[Wait, ...], *, freed_ms: int | None = None) -> Figure:
    """The drawing of sends over `over_ms`; `freed_ms` is the time at which space was freed."""
    foot = TOP + ROW * len(sends)

    def at(ms: float, y: float) -> Point:
        return Point(LEFT + (RIGHT - LEFT) * ms / over_ms, y)

    return Figure(
        name=name,
        title=title,
        describes=" ".join(_sentences(sends, freed_ms)),
        height=foot + (3 if freed_ms is not None else 2) * LINE,
        parts=tuple(_parts(sends, over_ms, freed_ms, foot, at)),
        heads=("configured", "the send"),
        rows=tuple((send.configured, _row(send)) for send in sends),
    )


def _parts(
    sends: tuple[Wait, ...], over_ms: int, freed_ms: int | None, foot: float, at: Callable[[float, float], Point]
) -> Iterator[str]:
    if freed_ms is not None:
        yield line(at(freed_ms, TOP), at(freed_ms, foot), "threshold")
        yield text(at(freed_ms, foot + 2 * LINE + 8), "space freed", anchor="middle", css_class="good")
        yield text(at(freed_ms, foot + LINE), figure_text(freed_ms), anchor="middle", css_class="strong")
    yield line(at(0, foot), at(over_ms, foot), "axis")
    yield text(at(0, foot + LINE), "0", css_class="quiet")
    yield text(at(over_ms, foot + LINE), f"{figure_text(over_ms)} ms", anchor="end", css_class="quiet")
    for number, send in enumerate(sends):
        y = TOP + ROW * number
        middle = y + 31
        yield text(Point(LEFT, y + 14), send.configured, css_class="halo")
        end = at(send.waited_ms, middle)
        yield box(at(0, middle - 6), max(end.x - LEFT, 2), 12, "stopped")
        yield from (line(at(ms, middle - 6), at(ms, middle + 6), "notice") for ms in send.notices_ms)
        if send.ending == "waits on":
            yield text(Point(end.x, y + 14), "waits on →", anchor="end", css_class="bad halo")
            continue
        css_class = "bad" if send.ending == "fails" else "good"
        yield dot(end, css_class)
        words = f"{send.ending} at {figure_text(send.waited_ms) if send.waited_ms else 'once'}"
        if end.x < WIDTH * 0.55:
            yield text(Point(end.x + 8, middle + 4), words, css_class=f"{css_class} halo")
        else:
            yield text(Point(RIGHT, y + 14), words, anchor="end", css_class=f"{css_class} halo")


def _sentences(sends: tuple[Wait, ...], freed_ms: int | None) -> Iterator[str]:
    if freed_ms is not None:
        yield f"There is space again at {figure_text(freed_ms)} ms."
    for send in sends:
        yield f"With {send.configured}, a send {_row(send)}."


def _row(send: Wait) -> str:
    if send.ending == "waits on":
        ended = "waits on"
    elif send.waited_ms == 0:
        ended = f"{send.ending} at once"
    else:
        ended = f"waits and {send.ending} at {figure_text(send.waited_ms)} ms"
    if not send.notices_ms:
        return ended
    first, last = figure_text(send.notices_ms[0]), figure_text(send.notices_ms[-1])
    count = len(send.notices_ms)
    return f"{ended}; its client says {count} times that it waits, first at {first} ms and last at {last} ms"
