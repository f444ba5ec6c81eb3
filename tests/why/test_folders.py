"""A folder of logs and configurations, alone and beside files: what of it is read, and what is said of the rest."""

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.why.test_configured import ARTEMIS
from tests.why.test_lines import OWN, QUEUE

OVERFULL = "10:00:0{} INFO  {}QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000\n"
UNDERFULL = "10:00:0{} INFO  {}QUE-1004 : Underfull : Size : 700 bytes, Resume Capacity : 800\n"
FULL, FREE = OVERFULL.format(1, QUEUE), UNDERFULL.format(2, QUEUE)


def untimed(line: str) -> str:
    return line.partition("INFO  ")[2]


def why(folder: Path, *arguments: str) -> dict[str, object]:
    """The answer as JSON; nothing may be said beside it."""
    told = tidegate("why", *arguments, "--json", folder=folder)
    assert (told.returncode, told.stderr) in {(0, ""), (3, "")}
    answer: dict[str, object] = json.loads(told.stdout)
    return answer


def made(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_a_folder_is_read_with_its_packed_logs_and_its_configuration(tmp_path: Path) -> None:
    made(
        tmp_path / "var",
        {
            "log/broker.log.1.gz": gzip.compress(f"{OWN}\n".encode()),
            "log/broker.log": "2026-11-22 10:00:00,000 INFO  nothing of the kind\n",
            "log/empty.log": "",
            "log/artemis.pid": "4711",
            "etc/broker.xml": ARTEMIS,
            "etc/logging.xml": "<configuration><root level='INFO'/></configuration>",
        },
    )
    told = tidegate("why", "var", folder=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert "(var/log/broker.log.1.gz:1, without a time): every producer that sends to address" in told.stdout
    assert "max-size-bytes = 1,000 bytes (var/etc/broker.xml:4, match orders)" in told.stdout
    assert (
        "files    var has 2 logs and 1 configuration; 3 other files are passed over: "
        "neither a log (*.log, rotated or packed too) nor a broker's configuration\n"
    ) in told.stdout


def test_a_folder_stands_beside_files_and_each_file_is_read_once(tmp_path: Path) -> None:
    made(tmp_path, {"var/a.log": FULL, "b.log": "10:00:09 INFO nothing\n", "broker.xml": ARTEMIS})
    assert why(tmp_path, "var", "b.log", "var/a.log", "broker.xml")["lines"] == 2


@pytest.mark.parametrize(
    "names",
    [
        ("broker.log.2.gz", "broker.log.1", "broker.log"),
        ("broker.log.12", "broker.log.11.gz", "broker.log"),
        ("broker.log.2026-11-20", "broker.log.2026-11-21.gz", "broker.log"),
        ("broker-2026-11-20.log.gz", "broker-2026-11-21.log", "broker.log"),
    ],
)
def test_rotated_logs_without_times_are_read_from_the_oldest_on(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Stopped in one file, released in a later one: so nobody is stopped, and never the other way round."""
    stopped, released, nothing = untimed(FULL), untimed(FREE), "nothing\n"
    for number, texts in enumerate([(stopped, released, nothing), (stopped, nothing, released)]):
        packed = {
            name: gzip.compress(text.encode()) if name.endswith(".gz") else text
            for name, text in zip(names, texts, strict=True)
        }
        made(tmp_path / str(number), packed)
        assert why(tmp_path, str(number))["state"] == "not blocked"


def test_a_log_that_cannot_be_read_to_its_end_does_not_stop_the_others(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(f"10:00:00 INFO line {number}\n".encode() for number in range(20_000)))
    files: dict[str, str | bytes] = {
        "a.log": FULL,
        "b.log.1.gz": whole[: len(whole) // 2],
        "c.log": b"\x28\xb5\x2f\xfd and so on",
    }
    made(tmp_path / "var", {**files, "broker.xml": "<configuration><core>", "other.xml": "<pictures>"})
    told = tidegate("why", "var", folder=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("Blocked since 10:00:01")
    assert "but      var/b.log.1.gz only its first " in told.stdout
    assert "but      var/c.log is not read: expected a log, not a zst file; unpack it first\n" in told.stdout
    assert (
        "but      var/broker.xml:1: expected XML (no element found; <core> of line 1 is open there) (not read)\n"
        in told.stdout
    )
    assert "files    var has 3 logs; 1 other file is passed over" in told.stdout


def test_of_many_files_that_cannot_be_read_some_are_told_and_all_counted(tmp_path: Path) -> None:
    made(tmp_path / "var", {"a.log": FULL, **{f"broker{number}.xml": "<configuration><core>" for number in range(7)}})
    told = tidegate("why", "var", folder=tmp_path).stdout
    assert told.count("(not read)") == 5
    assert "but      2 more could not be read; --json names each\n" in told
    left_out = why(tmp_path, "var")["left_out"]
    assert isinstance(left_out, list) and len(left_out) == 7


def test_the_zone_of_a_folder_is_that_of_its_logs(tmp_path: Path) -> None:
    made(tmp_path / "var", {"a.log": f"2026-11-21 {FULL}"})
    told = tidegate("why", "var", "--zone", "var=+05:00", "--zone", "UTC", folder=tmp_path)
    assert "(2026-11-21 05:00:01 UTC)" in told.stdout


@pytest.mark.parametrize("files", [{}, {"empty.log": ""}, {"readme.txt": FULL}, {"broker.xml": ARTEMIS}])
def test_a_folder_without_a_log_is_one_sentence(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    (tmp_path / "var").mkdir()
    made(tmp_path / "var", files)
    told = tidegate("why", "var", folder=tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == (
        "tidegate: var: expected a folder with logs (*.log, rotated or packed too) that are not empty\n"
    )
