"""Logs and store in storage alone: a real S3 server on loopback; one machine, or a cluster that loses a worker."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pyspark
import pytest
from pyarrow import fs

from tests.cli.command import tidegate
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.files.storage import Remote, place_of
from tidegate.pipeline.work.engines import Engine
from tidegate.record.errors import BadInput, ExitCode

REPORTS = Path(__file__).parents[2] / "reports"
LOGS = [
    REPORTS / "qpid-0.18" / "broker-qpid-0.18.log",
    REPORTS / "artemis-2.44.0" / "broker-artemis-2.44.0.log",
    REPORTS / "qpid-0.18" / "trace-qpid-0.18.jsonl",
]
BUCKET = "bucket"
WAIT_SECONDS = 600
LIGHT_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Six of these run at once; none has so much to do that it pays to compile well."""


def wait_for(happens: Callable[[], Any], what: str) -> Any:
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        if found := happens():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come about in {WAIT_SECONDS} s")


def free_port() -> int:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as some:
        return some.connect_ex(("127.0.0.1", port)) == 0


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a process that a test started, and all that it started."""
    for each in (*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)):
        try:
            each.terminate()
        except psutil.NoSuchProcess:
            continue
    process.wait(timeout=WAIT_SECONDS)


@pytest.fixture(scope="module")
def storage() -> Iterator[Any]:
    """A file system of S3 with an empty bucket; processes that are started find it by their environment."""
    port = free_port()
    told = {
        "AWS_ACCESS_KEY_ID": "some", "AWS_SECRET_ACCESS_KEY": "thing", "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip
    before = dict(os.environ)
    os.environ.update(told)
    command = [str(Path(sys.executable).with_name("moto_server")), "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: answers(port), "the server of S3")
        system = fs.S3FileSystem(endpoint_override=told["AWS_ENDPOINT_URL"], allow_bucket_creation=True)
        system.create_dir(BUCKET)
        for log in LOGS:
            put(system, f"logs/{log.parent.name}/{log.name}", log.read_bytes())
        yield system
    finally:
        ended(server)
        os.environ.clear()
        os.environ.update(before)


def put(system: Any, key: str, content: bytes) -> None:
    with system.open_output_stream(f"{BUCKET}/{key}") as file:
        file.write(content)


def read(system: Any, key: str) -> bytes:
    with system.open_input_stream(f"{BUCKET}/{key}") as file:
        return bytes(file.read())


def keys(system: Any, below: str) -> list[str]:
    found = system.get_file_info(fs.FileSelector(f"{BUCKET}/{below}", recursive=True, allow_not_found=True))
    return sorted(each.path.removeprefix(f"{BUCKET}/") for each in found if each.is_file)


def verdicts(report: dict[str, Any]) -> dict[str, Any]:
    """Of each input, by the end of its name, its account and its verdicts."""
    return {Path(each["input"]).name: (each["account"], _without_places(each["verdicts"])) for each in report["inputs"]}


def _without_places(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**each, "evidence": [[one["line"], one["seq"]] for one in each["evidence"]]} for each in said]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a check of the same files in a folder finds."""
    folder = tmp_path_factory.mktemp("local")
    for log in LOGS:
        (folder / "logs" / log.parent.name).mkdir(parents=True, exist_ok=True)
        (folder / "logs" / log.parent.name / log.name).write_bytes(log.read_bytes())
    tidegate("trace", "check", "logs", "--report", "out", "--quiet", folder=folder)
    return verdicts(json.loads((folder / "out" / "trace-report.json").read_bytes()))


def test_logs_and_store_may_be_in_storage_alone(storage: Any, tmp_path: Path, expected: dict[str, Any]) -> None:
    command = ["trace", "check", f"s3://{BUCKET}/logs", "--report", f"s3://{BUCKET}/alone"]
    first = tidegate(*command, folder=tmp_path)
    assert (first.returncode, first.stderr.count("Traceback")) == (ExitCode.VIOLATED, 0), first.stderr
    assert verdicts(json.loads(read(storage, "alone/trace-report.json"))) == expected
    assert f"the whole report: s3://{BUCKET}/alone/trace-report.html" in first.stdout
    written = keys(storage, "alone")
    assert sum(key.startswith("alone/commits/") for key in written) == len(LOGS)
    assert not [key for key in written if "partial" in key or "lock" in key]
    assert [*tmp_path.iterdir()] == []

    marker = next(key for key in written if key.startswith("alone/commits/"))
    before = storage.get_file_info(f"{BUCKET}/{marker}").mtime
    again = tidegate(*command, folder=tmp_path)
    assert again.returncode == ExitCode.VIOLATED
    assert verdicts(json.loads(read(storage, "alone/trace-report.json"))) == expected
    # what is known is not read again
    assert storage.get_file_info(f"{BUCKET}/{marker}").mtime == before
    assert keys(storage, "alone") == written


def test_what_a_killed_run_left_without_a_marker_does_not_count(storage: Any, expected: dict[str, Any]) -> None:
    place = place_of(f"s3://{BUCKET}/left")
    check_files([place_of(f"s3://{BUCKET}/logs")], place, catalogue(), engine=Engine.PLAIN)
    first, *_ = (key for key in keys(storage, "left") if key.startswith("left/commits/"))
    put(storage, "left/events/stray.parquet", b"no table")
    put(storage, first, read(storage, first)[:50])
    report = check_files([place_of(f"s3://{BUCKET}/logs")], place, catalogue(), engine=Engine.PLAIN)
    assert any("expected a whole commit marker" in note for note in report.notes)
    assert "left/events/stray.parquet" not in keys(storage, "left")
    assert {Path(each.input).name for each in report.inputs} == set(expected)


@pytest.mark.parametrize("which", ["report", "path"])
@pytest.mark.parametrize("uri", ["s3a://bucket/x", "ftp://host/x.log", "s3://", "S3://bucket/x"])
def test_storage_that_is_not_known_is_one_sentence(tmp_path: Path, which: str, uri: str) -> None:
    log, report = (str(LOGS[0]), uri) if which == "report" else (uri, "out")
    found = tidegate("trace", "check", log, "--report", report, folder=tmp_path)
    assert found.returncode == ExitCode.BAD_INPUT
    assert found.stderr == (
        f"tidegate: {uri}: expected a path, or a URI of storage that begins with one of s3://, gs://, hdfs://, abfss://\n"
    )
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("storage")
@pytest.mark.parametrize("place", ["s3://nobucket/out", f"s3://{BUCKET}/logs/qpid-0.18"])
def test_a_report_that_cannot_be_put_there_is_one_sentence(tmp_path: Path, place: str) -> None:
    found = tidegate("trace", "check", f"s3://{BUCKET}/logs", "--report", place, folder=tmp_path)
    assert found.returncode == ExitCode.BAD_INPUT
    assert re.fullmatch(rf"tidegate: {place}[^\n]*: expected [^\n]*\n", found.stderr)


@pytest.mark.usefixtures("storage")
def test_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    missing, store = f"s3://{BUCKET}/missing.log", f"s3://{BUCKET}/partly"
    found = tidegate("trace", "check", missing, f"s3://{BUCKET}/logs", "--report", store, folder=tmp_path)
    assert found.returncode in (ExitCode.BAD_INPUT, ExitCode.VIOLATED)
    assert f"tidegate: {missing}: expected a file that can be read, but there is no such file or folder" in found.stderr


def test_places_are_named_as_paths_are() -> None:
    place = place_of("s3://bucket/logs/one/broker.log.1/")
    assert isinstance(place, Remote)
    assert (place.name, place.stem) == ("broker.log.1", "broker.log")
    assert [str(each) for each in place.parents] == ["s3://bucket/logs/one", "s3://bucket/logs", "s3://bucket"]
    assert str(place / "x") == "s3://bucket/logs/one/broker.log.1/x"
    assert place_of("file:///tmp/x") == Path("/tmp/x")
    assert place_of("logs/a:b") == Path("logs/a:b")
    with pytest.raises(BadInput, match="expected a path, or a URI of storage"):
        place_of("memory://x")


@pytest.fixture
def cluster(storage: Any, tmp_path: Path) -> Iterator[str]:
    """A master and two workers of Spark, each with one processor; the master's address."""
    port = free_port()
    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
        "SPARK_NO_DAEMONIZE": "1", "JAVA_TOOL_OPTIONS": LIGHT_JAVA,
    }  # fmt: skip

    def started(what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{what}", "--host", "127.0.0.1"]
        with (tmp_path / f"{what}-{len(started_ones)}.txt").open("wb") as said:
            return subprocess.Popen([*command, *arguments], env=environment, stdout=said, stderr=said)

    started_ones: list[subprocess.Popen[bytes]] = []
    try:
        ui = ["--webui-port", str(free_port())]
        started_ones.append(started("master.Master", "--port", str(port), *ui))
        wait_for(lambda: answers(port), "the master")
        for number in range(2):
            room = ["--cores", "1", "--memory", "700m", "--webui-port", str(free_port())]
            work = ["--work-dir", str(tmp_path / f"work-{number}")]
            started_ones.append(started("worker.Worker", *room, *work, f"spark://127.0.0.1:{port}"))
        yield f"spark://127.0.0.1:{port}"
    finally:
        for process in reversed(started_ones):
            ended(process)


def executors() -> list[psutil.Process]:
    """The processes in which workers that this process started do their work."""
    found = []
    for each in psutil.Process().children(recursive=True):
        try:
            if any("CoarseGrainedExecutorBackend" in part for part in each.cmdline()):
                found.append(each)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.mark.nightly
def test_a_cluster_that_loses_a_worker_in_the_middle_finds_what_one_machine_finds(
    storage: Any, tmp_path: Path, cluster: str, expected: dict[str, Any]
) -> None:
    """Logs and store are on S3 only. The executor is killed once the first of many splits is committed."""
    text = LOGS[0].read_bytes()
    for number in range(12):
        put(storage, f"many/host-{number}/{LOGS[0].name}", text)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    environment["JAVA_TOOL_OPTIONS"] = LIGHT_JAVA
    conf = tmp_path / "conf"
    conf.mkdir()
    settings = ["executor.memory 512m", "driver.host 127.0.0.1", "driver.bindAddress 127.0.0.1", "ui.enabled false"]
    (conf / "spark-defaults.conf").write_text("".join(f"spark.{each}\n" for each in settings))
    command = [sys.executable, "-m", "tidegate.cli", "trace", "check", f"s3://{BUCKET}/many", "--quiet"]
    running = subprocess.Popen(
        [*command, "--report", f"s3://{BUCKET}/cluster", "--master", cluster],
        cwd=tmp_path, env={**environment, "SPARK_CONF_DIR": str(conf)}, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        wait_for(lambda: keys(storage, "cluster/commits") or running.poll() is not None, "a marker")
        committed = len(keys(storage, "cluster/commits"))
        executor = next(iter(executors()))
        os.kill(executor.pid, signal.SIGKILL)
        _, said = running.communicate(timeout=2 * WAIT_SECONDS)
    finally:
        if running.poll() is None:
            ended(running)
    assert running.returncode == ExitCode.VIOLATED, said.decode()
    assert b"Traceback" not in said
    assert 0 < committed < 12
    report = json.loads(read(storage, "cluster/trace-report.json"))
    assert (report["engine"], len(report["inputs"])) == ("spark", 12)
    (wanted,) = (each for name, each in expected.items() if name == LOGS[0].name)
    for each in report["inputs"]:
        assert verdicts({"inputs": [each]}) == {LOGS[0].name: wanted}
    assert len(keys(storage, "cluster/commits")) == len(keys(storage, "cluster/events")) == 12
