"""A first look at a file: its form, the version that wrote it, and its first and last time."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from hashlib import blake2b
from io import StringIO
from typing import Any, NamedTuple

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.lines.log_form import LogForm
from tidegate.pipeline.lines.times import zone_of
from tidegate.pipeline.read.blocks import ENDINGS, EVERYTHING, PIECE, Damaged, opened, pieces
from tidegate.pipeline.read.doubts import MOST_BYTES_OF_OTHERS, doubt_of, is_newest_first, other_forms
from tidegate.pipeline.read.split import Input, Peeked
from tidegate.record.hints import in_words
from tidegate.record.values import BadValue, read_value

MOST_BYTES = 4 << 20
"""The most bytes that are read of a file to recognise it, and to find its last time."""
TRACE_NAME = re.compile(rf"\.jsonl{ENDINGS}$")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
TAR, TAR_AT = b"ustar", 257
"""The sign of an archive of tar, and its place in the header of the first file."""
NEITHER = (
    f"expected a tidegate trace or a log of a known form ({', '.join(LOG_FORMS)}), "
    f"and found no line of one in the first {MOST_BYTES >> 20} MiB"
)
RECORDS = (
    "expected the lines as the broker wrote them, each with its time in front, not records of JSON; "
    "jq -j .log makes them that of the files of Docker"
)

OLDEST_FIRST = "expected the oldest line first, and found the newest one; tac turns the lines round"


@dataclass(frozen=True)
class Identity:
    """The implementation that a trace is about, as its header names it, and its capabilities."""

    name: str
    version: str
    capabilities: frozenset[str]


class End(NamedTuple):
    """The last time near the end of a log, in ms; and whether the log is cut off."""

    time: int | None
    cut_off: bool = False


def peek(path: str, zone: str) -> Peeked:
    """A first look at a file. A fault of the file is in the answer and is not raised."""
    file = place_of(path)
    try:
        if not file.is_file() and file.exists():
            return Peeked("", expected="expected a file, not a pipe or a device, which cannot be read again")
        with opened(file) as (text, packed):
            # to ask for far more bytes than a small file has takes longer than to read it
            most = MOST_BYTES if packed else min(MOST_BYTES, file.stat().st_size)
            start = next(pieces(text, most, MOST_BYTES), b"")
    except Damaged:
        return Peeked("", expected="expected a whole packed file, but nothing of it can be unpacked")
    except OSError as error:
        return Peeked("", expected=f"expected a file that can be read, but {in_words(error)}")
    if start.startswith(UTF_16):
        return Peeked("", expected="expected UTF-8 text, not UTF-16; iconv -f UTF-16 -t UTF-8 makes it that")
    if start.startswith(TAR, TAR_AT):
        return Peeked("", expected="expected a log or a trace, not an archive of files; tar -xf unpacks it")
    if b"\n" not in start and b"\r" in start.rstrip():
        return Peeked(
            "", expected="expected lines that end with a line feed; tr '\\r' '\\n' makes those of a CR alone so"
        )
    if start.startswith(b"{") or TRACE_NAME.search(file.name):
        trace = _peeked_trace(start.partition(b"\n")[0], packed)
        is_of_log = trace.expected and not TRACE_NAME.search(file.name) and _form_of(decoded(start)) is not None
        return Peeked("", expected=RECORDS) if is_of_log else trace
    head = decoded(start)
    form = _form_of(head)
    if form is None:
        return Peeked("", expected=NEITHER)
    log = LOG_FORMS[form]
    if is_newest_first(_times(log, _lines(head), zone_of(zone))):
        return Peeked("", expected=OLDEST_FIRST)
    first = next(_times(log, _lines(head), zone_of(zone)), None)
    begins = blake2b(start, digest_size=16).hexdigest()
    doubt = doubt_of(log, lambda: _lines(head))
    others = other_forms(log, start[:MOST_BYTES_OF_OTHERS])
    return Peeked(form, packed, _version(log, head), first, head=begins, broker=log.broker, doubt=doubt, others=others)


def _peeked_trace(header: bytes, packed: bool) -> Peeked:
    try:
        said = read_value(Identity, json.dumps(json.loads(header)["implementation"]).encode())
    except BadValue as error:
        field = f"implementation.{error.field}" if error.field else "implementation"
        return Peeked(TRACE, packed, expected=error.fault, field=field)
    except (ValueError, TypeError, KeyError, RecursionError):
        expected = "expected a header with the implementation that the trace is about"
        return Peeked(TRACE, packed, expected=expected, field="implementation")
    return Peeked(TRACE, packed, said.version, broker=said.name, capabilities=tuple(sorted(said.capabilities)))


def _form_of(text: str) -> str | None:
    """The form of the first line that only one form of log has; None where no line is of a known form."""
    of_lines = (form for line in _lines(text) for form, log in LOG_FORMS.items() if log.recognised_by.search(line))
    return next(of_lines, None)


def _lines(text: str) -> Iterable[str]:
    """The lines of a text with their ends, one by one, since the first few mostly suffice."""
    return StringIO(text, newline="\n")


def _version(log: LogForm, head: str) -> str:
    told = log.version and log.version.search(head)
    return told["version"] if told else ""


def _times(log: LogForm, lines: Iterable[str], zone: tzinfo) -> Iterator[int]:
    for line in lines:
        if log.begins.match(line):
            time = log.time(line, zone)
            if isinstance(time, int):
                yield time


def end_of(file: Input) -> End:
    """The last time of a log, and whether it is cut off. A fault of the file is reported where it is read."""
    path = place_of(file.path)
    try:
        with opened(path, file.packed) as (text, _):
            start = 0 if file.packed else max(0, path.stat().st_size - MOST_BYTES)
            if start:
                text.seek(start)
            start, tail, cut_off = _tail(text, start)
    except OSError:
        return End(None, cut_off=True)
    log = LOG_FORMS[file.form]
    # the first line may be the rest of one, unless the file begins with it
    lines = tail.split(b"\n")[0 if start == 0 else 1 :]
    return End(next(_times(log, map(decoded, reversed(lines)), zone_of(file.zone)), None), cut_off)


def _tail(text: Any, start: int) -> tuple[int, bytes, bool]:
    """The last bytes of a file that stands at `start`: their begin, themselves, and whether a packed file is cut off.

    A packed file is unpacked to its end for them.
    """
    tail = b""
    try:
        for piece in pieces(text, EVERYTHING, PIECE):
            cut = max(0, len(tail) + len(piece) - MOST_BYTES)
            start, tail = start + cut, (tail + piece)[cut:]
    except Damaged:
        return start, tail, True
    return start, tail, False
