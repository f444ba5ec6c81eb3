"""The runs as a table: a Parquet file with all of them, and the worst ones on a terminal."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

from tidegate.pages.tables import print_whole
from tidegate.record.counts import counted
from tidegate.sweep.configuration import AXES, resume_level
from tidegate.sweep.options import MECHANISM, option_name
from tidegate.sweep.running import Run

COLUMNS = pl.Schema(
    {
        MECHANISM: pl.String(),
        **{name: pl.Int64() for name in AXES},
        "worst_bytes": pl.Int64(),
        "overshoot_bytes": pl.Int64(),
        "overshoot_percent": pl.Float64(),
        "never_released": pl.Boolean(),
        "stopped_ms": pl.Int64(),
        "stopped_percent": pl.Float64(),
        "longest_stop_ms": pl.Int64(),
        "cycles_per_hour": pl.Float64(),
        "messages_through": pl.Int64(),
    }
)
FOUND = ("over bytes", "over %", "stopped %", "longest ms", "cycles /h", "messages", "")


def write_table(runs: Sequence[Run], file: Path) -> None:
    """Write a row for each run; `resume` is always in bytes."""
    pl.DataFrame([_row(run) for run in runs], COLUMNS).write_parquet(file)


def _row(run: Run) -> dict[str, object]:
    return {
        **asdict(run.configuration),
        "mechanism": str(run.configuration.mechanism),
        "resume": resume_level(run.configuration),
        "worst_bytes": run.worst.bytes,
        "overshoot_bytes": run.overshoot_bytes,
        "overshoot_percent": run.overshoot_percent,
        "never_released": run.worst.never_released,
        "stopped_ms": run.time.stopped_ms,
        "stopped_percent": run.stopped_percent,
        "longest_stop_ms": run.time.longest_stop_ms,
        "cycles_per_hour": run.cycles_per_hour,
        "messages_through": run.time.messages_through,
    }


def show(runs: Sequence[Run], varied: Sequence[str], most: int, console: Console) -> None:
    """Print the runs with the largest overshoot in percent, with the figures that vary."""
    heads = ("mechanism", *map(option_name, varied), *FOUND)
    worst = sorted(runs, key=lambda run: (-run.overshoot_percent, -run.stopped_percent))[:most]
    rows = [(str(run.configuration.mechanism), *(figure(run, name) for name in varied), *_found(run)) for run in worst]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, justify="left" if head == "mechanism" else "right")
    for row in rows:
        table.add_row(*row)
    print_whole(table, console)
    if len(runs) > most:
        console.print(f"the {most} worst of {counted(len(runs), 'runs')}; all are in the table")


def _found(run: Run) -> tuple[str, ...]:
    return (
        f"{run.overshoot_bytes:,}",
        f"{run.overshoot_percent:.1f}",
        f"{run.stopped_percent:.1f}",
        f"{run.time.longest_stop_ms:,}",
        f"{run.cycles_per_hour:,.0f}",
        f"{run.time.messages_through:,}",
        "never released" if run.worst.never_released else "",
    )


def figure(run: Run, name: str) -> str:
    """A figure of a run's configuration as text; a dash where its mechanism has none."""
    value = getattr(run.configuration, name)
    return "-" if value is None else f"{value:,}"
