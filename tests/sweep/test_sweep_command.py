"""`tidegate sweep`: what it prints and writes."""

import re
from pathlib import Path

import click
import html5lib
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from tidegate.cli.sweep import FIGURES, sweep
from tidegate.record.errors import TidegateError
from tidegate.sweep.configuration import AXES
from tidegate.sweep.options import NAMES

SMALL = ("--producers", "1,2", "--capacity", "1000,2000", "--size", "100", "--seconds", "1")


def run(folder: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(sweep, [*arguments, "--report", str(folder / "out")])
    if isinstance(result.exception, TidegateError):
        raise result.exception
    assert result.exception is None, result.exception
    return result


def test_every_run_is_a_row_of_the_table_and_the_worst_is_shown_first(tmp_path: Path) -> None:
    result = run(tmp_path, *SMALL, "--resume-percent", "0,50", "--top", "1")
    rows = pq.read_table(tmp_path / "out" / "sweep.parquet").to_pylist()
    assert [(row["producers"], row["capacity"], row["resume"]) for row in rows] == [
        *((1, 1000, 0), (1, 1000, 500), (1, 2000, 0), (1, 2000, 1000)),
        *((2, 1000, 0), (2, 1000, 500), (2, 2000, 0), (2, 2000, 1000)),
    ]
    assert [row["overshoot_bytes"] for row in rows] == [100] * 4 + [200] * 4
    assert [row["overshoot_percent"] for row in rows] == [10, 10, 5, 5, 20, 20, 10, 10]
    assert [row["never_released"] for row in rows] == [True, False] * 4
    first = next(line for line in result.output.splitlines() if line.startswith("qpid-queue"))
    assert first.split()[:6] == ["qpid-queue", "2", "1,000", "0", "200", "20.0"]
    assert "the 1 worst of 8 runs" in result.output
    assert "engine plain" in result.output


def test_heat_maps_hold_every_run_once_for_each_measure(tmp_path: Path) -> None:
    run(tmp_path, *SMALL, "--resume-percent", "0,50", "--x", "capacity", "--mechanism", "qpid-queue,classic-memory")
    page = (tmp_path / "out" / "sweep.html").read_text()
    html5lib.HTMLParser(strict=True).parse(page)
    assert page.count('class="cell') == 2 * (8 + 4)
    assert page.count("<figcaption>resume-percent 50</figcaption>") == 2
    assert page.count(" never") == 2 * 4
    assert "worst case 1,200 bytes, 200 past the capacity" in page
    shown = re.findall(r'aria-label="(Worst-case overshoot, [^"]*)"', page)
    assert set(shown) == {"Worst-case overshoot, capacity (bytes) across, producers up"}
    assert re.findall(r'(?:src|href)="', page) == []


@pytest.mark.usefixtures("spark")
def test_both_engines_find_the_same(tmp_path: Path) -> None:
    for engine in ("plain", "spark"):
        assert f"engine {engine}" in run(tmp_path / engine, *SMALL, "--engine", engine).output
    plain, spark = (pq.read_table(tmp_path / engine / "out" / "sweep.parquet") for engine in ("plain", "spark"))
    assert plain.equals(spark)
    assert plain.num_rows == 4


def test_an_option_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("producers: 1,2\ncapacity: 500\nsize: 100\nseconds: 1\n")
    run(tmp_path, "--grid", str(tmp_path / "grid.yaml"), "--producers", "3", "--quiet")
    rows = pq.read_table(tmp_path / "out" / "sweep.parquet").to_pylist()
    assert [(row["producers"], row["capacity"]) for row in rows] == [(3, 500)]


def test_a_resume_level_above_the_capacity_is_run_with_a_warning(tmp_path: Path) -> None:
    result = run(tmp_path, *SMALL, "--resume", "1001")
    assert "tidegate: warning: in 2 of 4 runs the resume level is above the capacity" in result.stderr
    assert "warning" not in run(tmp_path, *SMALL, "--resume", "1000").stderr


def test_the_command_has_an_option_for_every_figure() -> None:
    assert tuple(FIGURES) == NAMES


def test_the_help_names_the_defaults_of_the_figures() -> None:
    helps = {each.name: str(each.help) for each in sweep.params if isinstance(each, click.Option)}
    for name, axis in AXES.items():
        told = re.findall(r"\[default: (\d+)\]$", helps[name])
        assert told == ([] if axis.default is None else [str(axis.default)])
