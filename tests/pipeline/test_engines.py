"""The engines: which one is taken, that all find the same, and that the plain one needs neither Spark nor Java."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from tests.cli.command import tidegate
from tests.sample import drawn, nightly
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.findings.reports import TraceReport
from tidegate.pipeline.stops.tables import SCHEMAS
from tidegate.pipeline.work.engines import HERE, Choice, Engine, Processes, chosen
from tidegate.record.errors import ExitCode

REPORTS = Path(__file__).parents[2] / "reports"
RUNS = ("artemis-2.44.0", "classic-6.3.1", "qpid-0.18", "qpid-10.1.0")


def kept(runs: Sequence[str]) -> list[Path]:
    """Traces and logs of real runs."""
    return [REPORTS / run / name for run in runs for name in (f"trace-{run}.jsonl", f"broker-{run}.log")]


def found(report: TraceReport) -> TraceReport:
    """A report without what differs between engines."""
    return replace(report, engine="", engine_because="")


def rows(spark: SparkSession, folder: Path, table: str) -> list[Any]:
    read = spark.read.parquet(str(folder / table))
    return sorted((row.asDict() for row in read.collect()), key=lambda row: json.dumps(row))


@pytest.mark.parametrize("runs", [drawn(RUNS), nightly(RUNS)], ids=len)
def test_real_traces_and_logs_are_judged_alike_by_every_engine(
    runs: Sequence[str], spark: SparkSession, tmp_path: Path
) -> None:
    plain = check_files(kept(runs), tmp_path / "plain", catalogue(), engine=Engine.PLAIN)
    on_spark = check_files(kept(runs), tmp_path / "spark", catalogue(), engine=Engine.SPARK)
    assert (plain.engine, on_spark.engine) == ("plain", "spark")
    assert len(plain.inputs) == 2 * len(runs)
    assert sum(verdict.judged for each in plain.inputs for verdict in each.verdicts) > 1000
    told = {verdict.verdict for each in plain.inputs for verdict in each.verdicts}
    assert told <= {"kept", "violated", "unknown"} and (len(told) == 3 or len(runs) < len(RUNS))
    assert found(on_spark) == found(plain)
    for table in ("events", "quarantine", *SCHEMAS):
        assert rows(spark, tmp_path / "plain", table) == rows(spark, tmp_path / "spark", table)


def test_what_one_engine_has_read_and_judged_the_other_takes_as_it_is(spark: SparkSession, tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text(kept(RUNS)[-1].read_text())
    plain = check_files([log], tmp_path / "out", catalogue(), engine=Engine.PLAIN)
    marker = next((tmp_path / "out" / "commits").iterdir())
    written = marker.stat()
    assert found(check_files([log], tmp_path / "out", catalogue(), engine=Engine.SPARK)) == found(plain)
    # that it was looked at changes when it was read last
    assert (marker.stat().st_ino, marker.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


@pytest.mark.parametrize(
    ("asked", "master", "environment", "expected"),
    [
        (Engine.AUTO, None, {}, Choice(Engine.PLAIN, "no cluster was named")),
        (Engine.AUTO, "local[1]", {}, Choice(Engine.SPARK, "a master was named, local[1]")),
        (Engine.AUTO, None, {"PYSPARK_GATEWAY_PORT": "1"}, Choice(Engine.SPARK, "started by spark-submit")),
        (Engine.SPARK, None, {}, Choice(Engine.SPARK, "asked for")),
        (Engine.PLAIN, "spark://m:7077", {}, Choice(Engine.PLAIN, "asked for")),
    ],
)
def test_spark_works_where_it_is_asked_for_or_a_cluster_is_named(
    asked: Engine, master: str | None, environment: dict[str, str], expected: Choice
) -> None:
    assert chosen(asked, master, environment) == expected


def half(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2


def settings_here(_: int) -> tuple[int, str | None]:
    return os.getpid(), os.environ.get("POLARS_MAX_THREADS")


@pytest.mark.parametrize("runner", [HERE, Processes(2)], ids=["here", "processes"])
def test_results_come_in_the_order_of_the_items_and_errors_are_raised(
    runner: Processes, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(runner.close)
    assert [*runner.each(half, [8, 2, 4])] == [4, 1, 2]
    assert [*runner.each(half, [])] == []
    with pytest.raises(ValueError, match="3 is odd"):
        list(runner.each(half, [2, 3, 4]))


def test_processes_are_others_than_this_one_and_use_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLARS_MAX_THREADS", raising=False)
    with closing(Processes(2)) as runner:
        told = [*runner.each(settings_here, [1, 2, 3])]
    assert os.getpid() not in {pid for pid, _ in told}
    assert {threads for _, threads in told} == {"1"}
    assert "POLARS_MAX_THREADS" not in os.environ
    assert next(Processes(8).each(settings_here, [1]))[0] == os.getpid()


def test_processes_are_started_once_and_end_with_the_block() -> None:
    with closing(Processes(2)) as runner:
        told = [pid for _ in range(3) for pid, _ in runner.each(settings_here, [1, 2, 3])]
        assert len(set(told)) <= 2
        assert all(map(psutil.pid_exists, told))
    assert not any(map(psutil.pid_exists, told))


def test_much_is_read_and_judged_by_several_processes_as_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [path for path in kept(RUNS) if path.suffix == ".log"]
    one = check_files(logs, tmp_path / "one", catalogue(), engine=Engine.PLAIN)
    monkeypatch.setattr("tidegate.pipeline.check.engine.LIGHT_BYTES", 0)
    monkeypatch.setattr("tidegate.pipeline.work.engines.processors", lambda: 2)
    assert found(check_files(logs, tmp_path / "two", catalogue(), engine=Engine.PLAIN)) == found(one)


def test_the_plain_engine_loads_no_spark(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom tidegate.catalogue import catalogue\n"
        "from tidegate.pipeline.work.engines import Engine\nfrom tidegate.pipeline.check.engine import check_files\n"
        "check_files([Path(sys.argv[1])], Path(sys.argv[2]), catalogue(), engine=Engine.PLAIN)\n"
        "assert not {'pyspark', 'py4j'} & set(sys.modules), 'Spark was loaded'\n"
    )
    command = [sys.executable, "-c", code, str(kept(RUNS)[-1]), str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("engine", "code", "said"),
    [
        ("plain", ExitCode.VIOLATED, "engine: plain (asked for)"),
        ("auto", ExitCode.VIOLATED, "engine: plain (no cluster was named)"),
        ("spark", ExitCode.BAD_INPUT, "there is no java on the PATH; install JDK 17 or 21"),
    ],
)
def test_without_java_only_spark_cannot_work(engine: str, code: ExitCode, said: str, tmp_path: Path) -> None:
    log = str(next(log for log in kept(RUNS) if "broker-qpid-10" in log.name))
    command = ["trace", "check", log, "--report", str(tmp_path / "out"), "--engine", engine]
    ended = tidegate(*command, folder=tmp_path, path=str(tmp_path))
    assert ended.returncode in (code, ExitCode.UNKNOWN)
    assert said in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
