"""The two states of a gate, and the levels that lead from one to the other."""

from collections.abc import Callable

from generate.figures.drawing import LINE, WIDTH, Figure, Point, arrow, box, figure_text, path, text

TOP, BOX, TALL = 62, 104, 44
HEIGHT = 168
Settled = Callable[[bool, int], bool]
"""Whether the gate is closed at a level, given whether it was closed before."""


def states(name: str, title: str, unit: str, closed_after: Settled, top: int) -> Figure:
    """The drawing of a gate; each level up to `top` is tried in each state. ValueError if a state is never left."""
    closing = [level for level in range(top + 1) if closed_after(False, level)]
    opening = [level for level in range(top + 1) if not closed_after(True, level)]
    if not closing or not opening:
        raise ValueError(f"{title}: expected levels up to {top} that close the gate and levels that open it")
    closes = f"at {figure_text(min(closing))} {unit} or more"
    opens = f"at {figure_text(max(opening))} {unit} or fewer"
    left, right = 8, WIDTH - 8 - BOX
    upper, lower = TOP + 12, TOP + TALL - 12
    start, end, middle = left + BOX, right, WIDTH / 2
    parts = (
        box(Point(left, TOP), BOX, TALL, "state good", round=8),
        text(Point(left + BOX / 2, TOP + TALL / 2 + 4), "open", anchor="middle", css_class="strong"),
        box(Point(right, TOP), BOX, TALL, "state bad", round=8),
        text(Point(right + BOX / 2, TOP + TALL / 2 + 4), "closed", anchor="middle", css_class="strong"),
        path((Point(start, upper), Point(end, upper)), "level"),
        arrow(Point(end - 12, upper), Point(end - 2, upper), "head"),
        path((Point(end, lower), Point(start, lower)), "level"),
        arrow(Point(start + 12, lower), Point(start + 2, lower), "head"),
        text(Point(middle, TOP - LINE - 12), "closes: producers are blocked", anchor="middle", css_class="bad"),
        text(Point(middle, TOP - 12), closes, anchor="middle"),
        text(Point(middle, TOP + TALL + LINE + 10), opens, anchor="middle"),
        text(
            Point(middle, TOP + TALL + 2 * LINE + 10),
            "opens: producers are released",
            anchor="middle",
            css_class="good",
        ),
    )
    stays_open = f"stays open up to {figure_text(min(closing) - 1)} {unit}"
    stays_closed = f"stays closed down to {figure_text(max(opening) + 1)} {unit}"
    return Figure(
        name=name,
        title=title,
        describes=f"An open gate closes {closes}, and {stays_open}. A closed gate opens {opens}, and {stays_closed}.",
        height=HEIGHT,
        parts=parts,
        heads=("the gate is", "and then"),
        rows=(
            ("open", f"closes {closes}; {stays_open}"),
            ("closed", f"opens {opens}; {stays_closed}"),
        ),
    )
