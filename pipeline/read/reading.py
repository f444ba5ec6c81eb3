"""Cuts files into splits, and reads each of them by itself; workers do this, each for its own split."""

from collections.abc import Iterator, Sequence

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.read.blocks import next_beginning
from tidegate.pipeline.read.log import read_logs
from tidegate.pipeline.read.split import Input, Split, SplitsRead
from tidegate.pipeline.read.trace import read_trace

WORKERS = 4
"""What is cut, is cut for so many workers, or for half as many: each has as much to do as the others."""


def stream_of(file: Input) -> str:
    """The ordered row of splits to which the file belongs."""
    return file.stream or file.host or file.name


def grows(file: Input) -> bool:
    """Whether what is appended to such a file can be read apart from what stands before it."""
    return file.form != TRACE and not file.packed


def begins_record(file: Input, offset: int) -> bool:
    """Whether a record of the log begins at this byte, which stands after at least one other."""
    with place_of(file.path).open("rb") as log:
        log.seek(offset - 1)
        if log.read(1) != b"\n":
            return False
        return LOG_FORMS[file.form].begins.match(decoded(log.readline())) is not None


def ranges(file: Input, start: int, size: int, most_bytes: int) -> tuple[tuple[int, int], ...]:
    """The ranges of bytes in which the file is read from `start`, where a record begins, up to its `size`.

    Ranges of a plain log are about alike, have at most about `most_bytes`, and go from one record to another. They are
    one, or a multiple of WORKERS as far as there are records. A packed file and a trace are one range.
    """
    return tuple(_ranges(file, start, size, most_bytes)) if grows(file) else ((start, size),)


def _ranges(file: Input, start: int, size: int, most_bytes: int) -> Iterator[tuple[int, int]]:
    begins = LOG_FORMS[file.form].begins
    first, count = start, _ceiling(size - start, most_bytes)
    if count > 1:
        count = _ceiling(count, WORKERS) * WORKERS
    for number in range(1, count):
        target = first + (size - first) * number // count
        if target > start:
            cut = next_beginning(place_of(file.path), target, min(target + most_bytes, size), begins)
            if cut is not None:
                yield start, cut
                start = cut
    yield start, size


def _ceiling(number: int, divisor: int) -> int:
    return -(-number // divisor)


def read_alike(split: Split) -> tuple[str, ...]:
    """What splits have in common that can be read together; a trace shares it with nothing."""
    file = split.input
    return (file.form, file.zone, file.grouping, file.path if file.form == TRACE else "")


def read_splits(splits: Sequence[Split]) -> SplitsRead:
    """What splits hold that can be read together.

    Raises BadInput for a trace with anything wrong in it, OSError where a file cannot be read any more.
    """
    return read_trace(splits[0]) if splits[0].input.form == TRACE else read_logs(splits)
