"""Logs are read without Spark: a check, an answer and metrics work, and who asks for Spark is told the extra."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOG = ROOT / "tests" / "runs" / "artemis-2.44.0.log"
SPARK = ("pyspark", "py4j")
MONITORS = ("prometheus_client", "opentelemetry")
READERS = ("polars", "pyarrow")
NO_READERS = r"reading logs needs the extra 'logs' \(polars and pyarrow not found\): "
NO_SPARK = r"Spark needs the extra 'pipeline' \(pyspark not found\): "
BLOCKING = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name.split(".")[0] in {blocked!r} else found(name)
sys.argv = ["tidegate", *{arguments!r}]
from tidegate.cli.main import main
main()
"""
"""Runs the command where these libraries cannot be found, as if they were not installed."""


def without(blocked: tuple[str, ...], *arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    program = BLOCKING.format(blocked=blocked, arguments=list(map(str, arguments)))
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=300
    )  # fmt: skip


@pytest.mark.parametrize("engine", [[], ["--engine", "plain"]], ids=["auto", "plain"])
def test_a_check_needs_no_spark(engine: list[str], tmp_path: Path) -> None:
    ended = without((*SPARK, *MONITORS), "trace", "check", LOG, *engine, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "Blocked for longest: senders to s71.destination" in ended.stdout


def test_a_large_log_needs_neither_spark_nor_numpy(tmp_path: Path) -> None:
    large = tmp_path / "broker.log"
    large.write_bytes(LOG.read_bytes() * 30)
    ended = without((*SPARK, *MONITORS, "numpy"), "trace", "check", large, "--quiet", folder=tmp_path)
    assert ended.stderr == ""
    assert (tmp_path / "tidegate-trace-report" / "trace-report.html").exists()


def test_an_answer_needs_no_library_of_columns(tmp_path: Path) -> None:
    ended = without((*SPARK, *MONITORS, *READERS), "why", LOG, folder=tmp_path)
    assert ended.stderr == ""
    assert ended.stdout.startswith("Blocked since 2026-11-22 00:21:10,505")


def test_metrics_need_no_spark(tmp_path: Path) -> None:
    options = ("--prometheus", "0", "--otlp", "http://127.0.0.1:9", "--stop-after", "1")
    ended = without(SPARK, "trace", "watch", LOG, *options, folder=tmp_path)
    assert ended.returncode == 0
    assert "metrics are served at" in ended.stderr


@pytest.mark.parametrize(
    ("blocked", "arguments", "sentence"),
    [
        (SPARK, ["trace", "check", LOG, "--engine", "spark"], NO_SPARK),
        (SPARK, ["trace", "check", LOG, "--master", "local"], NO_SPARK),
        (READERS, ["trace", "check", LOG], NO_READERS),
        (READERS, ["trace", "watch", LOG, "--once"], NO_READERS),
        (
            MONITORS, ["trace", "watch", LOG, "--prometheus", "0"],
            r"metrics need the extra 'metrics' \(prometheus_client and opentelemetry\.sdk and .*http not found\): ",
        ),
    ],
    ids=["spark", "master", "check", "watch", "metrics"],
)  # fmt: skip
def test_what_is_missing_is_one_sentence_with_its_extra(
    blocked: tuple[str, ...], arguments: list[object], sentence: str, tmp_path: Path
) -> None:
    ended = without(blocked, *arguments, folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(rf"tidegate: {sentence}\S+ -m pip install .*\n", ended.stderr)
    assert list(tmp_path.iterdir()) == []


def test_the_extras_have_what_each_takes() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    names = {extra: {Requirement(each).name for each in libraries} for extra, libraries in extras.items()}
    assert names["logs"] == set(READERS)
    assert names["logs"] < names["metrics"]
    assert names["logs"] < names["pipeline"]
    assert not names["metrics"] & set(SPARK)
    always = [Requirement(each) for each in requires("tidegate") or ()]
    assert not {each.name for each in always if each.marker is None} & {*SPARK, *READERS, *MONITORS}
