"""What is held of a log at once is bounded by a block, however long its lines are and however well it is packed."""

import bz2
import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.cli.command import tidegate
from tests.pipeline.reading import SplitRead, read_log, read_log_with_care
from tests.pipeline.test_read_log import OTHER, OVERFULL, UNDERFULL, log_input, rows
from tidegate.pipeline.lines.careful import LONGEST_LINE
from tidegate.pipeline.read.log import MOST_SHOWN
from tidegate.pipeline.read.peeking import peek
from tidegate.pipeline.read.split import Split
from tidegate.record.errors import ExitCode

MIB = 1 << 20
PACKING: list[Callable[[bytes], bytes]] = [
    gzip.compress,
    bz2.compress,
    lzma.compress,
    lambda text: pa.Codec("zstd").compress(text, asbytes=True),
]
Reading = Callable[[Split], SplitRead]
WAYS = pytest.mark.parametrize("read_it", [read_log, read_log_with_care], ids=["fast", "with care"])


def split(path: Path, text: bytes, **changed: Any) -> Split:
    file = log_input(path, text, **changed)
    return Split(file, 0, path.stat().st_size)


@WAYS
def test_a_long_line_about_something_else_is_ignored(tmp_path: Path, read_it: Reading) -> None:
    text = f"{OTHER}{'x' * 20 * MIB}\n{OVERFULL}\n".encode()
    read = read_it(split(tmp_path / "broker.log", text))
    assert (read.lines, read.events.height, read.ignored, read.quarantined.height) == (2, 1, 1, 0)


@WAYS
@pytest.mark.parametrize(("longer", "put_aside"), [(0, 0), (1, 1), (20 * MIB, 1)])
def test_a_line_with_a_mark_is_read_up_to_a_length(
    tmp_path: Path, read_it: Reading, longer: int, put_aside: int
) -> None:
    line = f"{OVERFULL}, Note : "
    text = f"{line}{'x' * (LONGEST_LINE - len(line) + longer)}\n{UNDERFULL}\n".encode()
    read = read_it(split(tmp_path / "broker.log", text))
    assert (read.lines, read.events.height, read.quarantined.height) == (2, 2 - put_aside, put_aside)
    for row in read.quarantined.to_dicts():
        assert row["expected"] == "expected a line of at most 1,048,576 bytes"
        assert len(row["text"]) == MOST_SHOWN


@pytest.mark.parametrize("end", ["", "\n", f"\n{UNDERFULL}", f"\n{UNDERFULL}\n{OVERFULL}\n"])
def test_a_line_that_no_block_holds_is_put_aside_and_what_follows_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr("tidegate.pipeline.read.blocks.blocks.__defaults__", (3000, 3000))
    monkeypatch.setattr("tidegate.pipeline.read.log.SIZE", 3000)
    text = f"{OVERFULL}\n{'x' * 10_000}{end}".encode()
    read = read_log(split(tmp_path / "broker.log", text), size=3000)
    assert (read.lines, read.ignored) == (text.count(b"\n") + (not text.endswith(b"\n")), 0)
    assert read.events["line"].to_list() == [n for n in range(1, read.lines + 1) if n != 2]
    assert read.events["seq"].to_list() == [
        (1 << 40) + text.index(line.encode(), 5 if n else 0) + 1
        for n, line in enumerate([OVERFULL, *end.split("\n")[1:]])
        if line
    ]
    (row,) = read.quarantined.to_dicts()
    assert (row["line"], row["offset"]) == (2, len(OVERFULL) + 1)
    assert row["expected"] == "expected a line of at most 64 MiB"


@pytest.mark.parametrize("pack", PACKING, ids=["gz", "bz2", "xz", "zst"])
def test_a_packed_log_reads_as_the_log_itself(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    text = "\n".join([OVERFULL, OTHER, UNDERFULL] * 1000).encode()
    plain = split(tmp_path / "broker.log", text)
    packed = log_input(tmp_path / "broker.log.1", pack(text), packed=True)
    read = read_log(Split(replace(packed, name=plain.input.name), 0, 0))
    assert rows(read.events) == rows(read_log(plain).events)
    assert (read.lines, read.events.height) == (3000, 2000)


@pytest.mark.parametrize("pack", PACKING, ids=["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-9], lambda text: text[:60], lambda text: text[:-60] + b"?" * 30 + text[-30:]]
)
def test_a_packed_log_that_is_damaged_says_so(
    tmp_path: Path, pack: Callable[[bytes], bytes], spoil: Callable[[bytes], bytes]
) -> None:
    text = "\n".join(f"{OVERFULL}, Note : {n * n}" for n in range(3000)).encode()
    packed = log_input(tmp_path / "broker.log.1", spoil(pack(text)), packed=True)
    read = read_log(Split(packed, 0, 0))
    assert read.lines == read.events.height + read.ignored + read.quarantined.height
    # what a damaged part unpacks to may be anything
    *_, last = read.quarantined.sort("line").select("line", "expected").rows()
    assert last == (read.lines, "expected a whole packed file; this one is cut off or damaged from here on")


@pytest.mark.parametrize("name", ["broker.log.1.gz", "broker.log.1.bz2", "broker.log.1.xz", "broker.log.1.zst"])
def test_packed_files_of_a_folder_are_found_and_belong_to_their_host(tmp_path: Path, name: str) -> None:
    pack = dict(zip((".gz", ".bz2", ".xz", ".zst"), PACKING, strict=True))[Path(name).suffix]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / name).write_bytes(pack(f"{OVERFULL}\n".encode()))
    (tmp_path / "logs" / "broker.log").write_text(f"{UNDERFULL.replace('23:59:59,123', '23:59:59,999')}\n")
    ended = tidegate("trace", "check", "logs", "--report", "out", "--engine", "plain", folder=tmp_path)
    assert ended.returncode == ExitCode.UNKNOWN
    assert "1 line = 1 event + 0 ignored + 0 put aside" in ended.stdout
    assert "separate sources" not in ended.stdout


def test_a_trace_that_is_one_endless_line_is_refused_by_its_beginning(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl.gz"
    trace.write_bytes(gzip.compress(b"{" + bytes(50 * MIB)))
    assert peek(str(trace), "UTC").expected.startswith("expected a header with the implementation")


def peak(folder: Path, log: Path) -> int:
    """The most memory that a check of the log held, in MiB; `ru_maxrss` of a child counts what its parent held, too."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom tidegate.cli.main import main\nsys.argv[0] = 'tidegate'\n"
        "try:\n    main()\nfinally:\n"
        "    held = next(line for line in Path('/proc/self/status').open() if line.startswith('VmHWM'))\n"
        "    print(held.split()[1], file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", program, "trace", "check", str(log), "--report", str(folder / "out")]
    ended = subprocess.run([*command, "--engine", "plain"], capture_output=True, text=True, check=False)
    assert ended.returncode == ExitCode.UNKNOWN, ended.stderr
    assert f"{log}:2" in ended.stdout
    assert "expected a line of at most 64 MiB" in ended.stdout
    assert "Traceback" not in ended.stderr
    return int(ended.stderr.split()[-1]) // 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not say what a process held")
def test_little_that_unpacks_to_very_much_takes_no_more_memory_than_a_block(tmp_path: Path) -> None:
    """One line of a GiB, packed into a hundredth of a hundredth of that; held, it would take that and more."""
    log = tmp_path / "broker.log.gz"
    with gzip.open(log, "wb", compresslevel=1) as packed:
        packed.write(f"{OVERFULL}\n".encode())
        for _ in range(1024):
            packed.write(bytes(MIB))
    assert log.stat().st_size < 8 * MIB
    assert peak(tmp_path, log) < 700
