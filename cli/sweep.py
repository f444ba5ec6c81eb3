"""`tidegate sweep`: the reference model over grids of configurations."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tidegate.cli.extras import require_logs, require_spark
from tidegate.cli.paths import FILE, WRITTEN_FOLDER
from tidegate.cli.trace import ENGINES
from tidegate.record.counts import counted
from tidegate.sweep.configuration import AXES

DEFAULT_REPORT = Path("tidegate-sweep")
FIGURES = {
    "mechanism": "qpid-queue (default), artemis-amqp, artemis-core, classic-memory.",
    "producers": "Number of producers.",
    "size": "Bytes of a message.",
    "capacity": "Upper level in bytes: capacity, maximum size or memory limit.",
    "resume": "Resume level in bytes (qpid-queue).  [default: the capacity]",
    "resume_percent": "The same in percent of the capacity.",
    "credits": "Window in messages (artemis-amqp).",
    "credits_low": "Low watermark in messages (artemis-amqp).",
    "window": "Window in bytes (artemis-core).",
    "send_rate": "Messages a second of each producer.",
    "drain_rate": "Messages a second of all consumers.",
    "seconds": "Virtual seconds of a run.",
}
"""The figures that the command's options set; each takes several values."""


def _options_for_figures(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, words in reversed(FIGURES.items()):
        metavar = "NAMES" if name == "mechanism" else "NUMBERS"
        default = AXES[name].default if name in AXES else None
        told = words if default is None else f"{words}  [default: {default}]"
        command = click.option(f"--{name.replace('_', '-')}", metavar=metavar, help=told)(command)
    return command


@click.command()
@_options_for_figures
@click.option("--grid", "file", type=FILE,
              help="A YAML file with values for the options above; an option given here wins.")  # fmt: skip
@click.option("--x",
              help="The option along the horizontal axis of the heat maps; by default the first with several "
                   "values.")  # fmt: skip
@click.option("--y", help="The option along the vertical axis; by default the second with several values.")
@click.option("--report", "folder", type=WRITTEN_FOLDER, default=DEFAULT_REPORT,
              show_default=True, help="Folder for the table and the heat maps.")  # fmt: skip
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True,
              help="The engine: plain works on this machine; auto uses Spark with --master or under "
                   "spark-submit.")  # fmt: skip
@click.option("--master", help="Where Spark runs; by default on this machine, local[*].")
@click.option("--most-runs", type=click.IntRange(min=1),
              help="Refuse a grid of more runs than this; by default 10,000.")  # fmt: skip
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Number of runs to show.")
@click.option("--quiet", is_flag=True, help="Write the files, and print nothing.")
def sweep(
    file: Path | None, x: str | None, y: str | None, folder: Path, engine: str, master: str | None,
    most_runs: int | None, top: int, quiet: bool, **figures: str | None,
) -> None:  # fmt: skip
    """Run the reference model over a grid of configurations.

    NUMBERS are one or more, such as 1,2,4,8 or 1000:10000:1000 (from, to, by). Each combination runs twice. The run
    in the worst order of events shows how far the destination goes past its capacity. The run at the given rates shows
    how long its producers are blocked.
    """
    from rich.console import Console

    require_logs("plain", purpose="a sweep")
    from tidegate.pipeline.work.engines import Engine, chosen, runner_of
    from tidegate.sweep import configuration as grids
    from tidegate.sweep import heat_map, options, running, table

    given = {**(options.given_by_file(file) if file else {}), **options.given_by_options(figures)}
    grid = options.read_grid(given)
    across, up = heat_map.axes(grid, *(name and name.replace("-", "_") for name in (x, y)))
    configurations = grids.configurations(grid, most_runs or grids.MOST_RUNS)
    for warning in grids.warnings(grid):
        click.echo(f"tidegate: warning: {warning}", err=True)
    folder.mkdir(parents=True, exist_ok=True)
    choice = chosen(Engine(engine), master, os.environ).engine
    if choice is Engine.SPARK:
        require_spark()
    console = Console(quiet=quiet)
    with Console(stderr=True, quiet=quiet).status(f"{counted(len(configurations), 'runs')} on the engine {choice} …"):
        light = running.is_light(configurations)
        with runner_of(choice, folder / "spark.txt", master, light=light) as runner:
            runs = running.sweep(configurations, runner)
    table.write_table(runs, folder / "sweep.parquet")
    (folder / "sweep.html").write_text(heat_map.render(runs, grid, across, up), encoding="utf-8")
    varied = [name for name in FIGURES if any(name in grid.varied(mechanism) for mechanism in grid.mechanisms)]
    table.show(runs, varied, top, console)
    console.print(f"engine {choice}; table and heat maps are in {folder}", highlight=False)
