"""Heat maps of a sweep: a page without external resources, with a map for each combination of the other figures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from tidegate.pages.environment import environment
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean
from tidegate.sweep.configuration import AXES, Configuration, Grid, Mechanism
from tidegate.sweep.options import option_name
from tidegate.sweep.running import Run
from tidegate.sweep.table import figure

UNITS = {
    "producers": "", "size": "bytes", "capacity": "bytes", "resume": "bytes", "resume_percent": "% of capacity",
    "credits": "messages", "credits_low": "messages", "window": "bytes", "send_rate": "messages/s each",
    "drain_rate": "messages/s", "seconds": "s",
}  # fmt: skip
STRONGEST = 45
"""The percent of the measure's colour in the cell of the largest value: text stays readable in both colour schemes."""


@dataclass(frozen=True)
class Measure:
    """The figure of each run that a map shows, in percent."""

    title: str
    words: str
    of: Callable[[Run], float]


MEASURES = (
    Measure(
        "Worst-case overshoot",
        "how far past its capacity the destination comes, in percent of the capacity",
        lambda run: run.overshoot_percent,
    ),
    Measure(
        "Time stopped",
        "how much of their time the producers wait, in percent",
        lambda run: run.stopped_percent,
    ),
)


class Map(NamedTuple):
    """One map: the figures that its runs share, the labels of its columns, and its rows from the top, each with its
    runs."""

    shared: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Run, ...]], ...]


class Maps(NamedTuple):
    """All maps of one measure and mechanism; `largest` is the value of the darkest cell."""

    mechanism: Mechanism
    measure: Measure
    largest: float
    maps: tuple[Map, ...]

    def share(self, run: Run) -> float:
        """The value of a run as a share of the largest."""
        return self.measure.of(run) / self.largest if self.largest else 0

    def text(self, run: Run) -> str:
        """The value of a run with three digits at most."""
        value = self.measure.of(run)
        return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def axes(grid: Grid, x: str | None, y: str | None) -> tuple[str, str]:
    """The figures of the x and y axes: the chosen ones, else the first that vary. BadInput for names of no figure."""
    for option, name in (("--x", x), ("--y", y)):
        if name is not None and name not in AXES:
            known = tuple(map(option_name, AXES))
            hint = did_you_mean(name, known)
            raise BadInput(f"expected one of {', '.join(known)}, not {name!r}{hint}", field=option)
    if x is not None and x == y:
        raise BadInput(f"expected another figure than --x has ({x})", field="--y")
    vary = [name for name in AXES if any(name in grid.varied(mechanism) for mechanism in grid.mechanisms)]
    free = [name for name in (*vary, *AXES) if name not in (x, y)]
    across = x or free.pop(0)
    return across, y or next(name for name in free if name != across)


def render(runs: Sequence[Run], grid: Grid, x: str, y: str) -> str:
    """The text of the page: the maps for each mechanism and measure, with x across and y up."""
    templates = environment("tidegate.sweep")
    return templates.get_template("heat_map.html.j2").render(
        runs=runs,
        across=_named(x),
        up=_named(y),
        groups=list(_groups(runs, grid, x, y)),
        describe=_described,
        strongest=STRONGEST,
    )


def _groups(runs: Sequence[Run], grid: Grid, x: str, y: str) -> Iterator[Maps]:
    for mechanism in grid.mechanisms:
        own = [run for run in runs if run.configuration.mechanism is mechanism]
        others = [name for name in grid.varied(mechanism) if name not in (x, y)]
        for measure in MEASURES:
            largest = max(map(measure.of, own))
            yield Maps(mechanism, measure, largest, tuple(_maps(own, others, x, y)))


def _maps(runs: Iterable[Run], others: Sequence[str], x: str, y: str) -> Iterator[Map]:
    def place(run: Run) -> tuple[int, ...]:
        return tuple(getattr(run.configuration, name) for name in others)

    for _, group in groupby(sorted(runs, key=place), key=place):
        together = list(group)
        at = {(figure(run, y), figure(run, x)): run for run in together}
        columns, rows = _labels(together, x), _labels(together, y)[::-1]
        shared = ", ".join(f"{option_name(name)} {figure(together[0], name)}" for name in others)
        yield Map(shared, columns, tuple((row, tuple(at[row, column] for column in columns)) for row in rows))


def _labels(runs: Iterable[Run], name: str) -> tuple[str, ...]:
    ordered = sorted(runs, key=lambda run: getattr(run.configuration, name) or 0)
    return tuple(dict.fromkeys(figure(run, name) for run in ordered))


def _named(name: str) -> str:
    return f"{option_name(name)} ({UNITS[name]})" if UNITS[name] else option_name(name)


def _described(run: Run) -> str:
    """All figures of a run, shown when the pointer is on its cell."""
    return "\n".join([*_configured(run.configuration), *_found(run)])


def _configured(configuration: Configuration) -> Iterator[str]:
    for name in AXES:
        value = getattr(configuration, name)
        if value is not None:
            yield f"{option_name(name)} {value:,} {UNITS[name]}".rstrip()


def _found(run: Run) -> Iterator[str]:
    yield f"worst case {counted(run.worst.bytes, 'bytes')}, {run.overshoot_bytes:,} past the capacity"
    yield f"stopped {run.stopped_percent:.1f} % of the time, at most {run.time.longest_stop_ms:,} ms at a stretch"
    yield f"{run.cycles_per_hour:,.0f} cycles an hour, {counted(run.time.messages_through, 'messages')} through"
    if run.worst.never_released:
        yield "producers are stopped that nothing releases"
