"""The Spark session: the same settings everywhere, loopback only on one machine, a sentence without Java."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tidegate.pipeline.work.spark import require_java, settings, spark_session
from tidegate.record.errors import ExitCode, Unavailable


def test_a_session_that_is_active_is_used_again(spark: SparkSession, tmp_path: Path) -> None:
    assert spark_session(tmp_path / "spark.txt") is spark
    assert not (tmp_path / "spark.txt").exists()


@pytest.mark.parametrize(
    ("master", "submitted", "expected"),
    [(None, False, "local[*]"), ("local[1]", False, "local[1]"), ("spark://h:7077", False, "spark://h:7077")],
)
def test_spark_runs_where_it_is_told_to_and_by_default_here(master: str | None, submitted: bool, expected: str) -> None:
    assert dict(settings(master, submitted=submitted))["spark.master"] == expected


def test_under_spark_submit_the_master_is_left_to_it() -> None:
    assert "spark.master" not in dict(settings(None, submitted=True))


def test_on_one_machine_nothing_listens_beyond_loopback() -> None:
    here, cluster = (dict(settings(master, submitted=False)) for master in (None, "spark://h:7077"))
    assert here["spark.driver.host"] == here["spark.driver.bindAddress"] == "127.0.0.1"
    assert "spark.driver.host" not in cluster


def test_without_java_there_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="no java on the PATH; install JDK") as missing:
        require_java()
    assert missing.value.exit_code == ExitCode.BAD_INPUT
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(Unavailable, match="no java in JAVA_HOME"):
        require_java()


def test_a_java_that_spark_cannot_run_on_is_one_sentence_and_not_a_traceback(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho this is not the Java you are looking for >&2\nexit 1\n")
    java.chmod(0o755)
    log = tmp_path / "broker.log"
    log.write_text("2026-01-31 23:59:59,123 INFO [x] AMQ221007: Server is now active\n")
    command = ["trace", "check", str(log), "--report", str(tmp_path / "out"), "--engine", "spark"]
    ended = subprocess.run(
        [sys.executable, "-c", "from tidegate.cli.main import main; main()", *command],
        env={**os.environ, "JAVA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == ExitCode.BAD_INPUT
    assert ended.stderr.splitlines()[-1].startswith("tidegate: Spark did not start (it needs Java 17 or 21)")
    assert "Traceback" not in ended.stderr
    assert "not the Java" in (tmp_path / "out" / "spark.txt").read_text()
