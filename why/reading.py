"""From the bytes of logs to what their lines say, line by line, in the order of their times."""

import gzip
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate, chain, islice, takewhile
from pathlib import Path
from typing import BinaryIO

from tidegate.record.errors import BadInput
from tidegate.why.lines import FORMS
from tidegate.why.notices import Said
from tidegate.why.prefixes import COLOUR, is_prefix, time_in
from tidegate.why.records import plain
from tidegate.why.times import Stamp

LONGEST = 20_000
"""How many characters of a line are looked at."""
MARK = re.compile("|".join(sorted({re.escape(form.mark) for form in FORMS})))
LOOKED_BACK = 30
"""How many lines a record may have in front of the one that tells, such as the first line of java.util.logging."""
RECOGNISED_IN = 1000
"""In how many lines it is looked for signs of a broker."""
WRAPPED = 3
"""How many lines before and after may be parts of a line that was wrapped, as in mails and pages."""
SAMPLES = 3


@dataclass(frozen=True)
class Heard:
    """What a line says: the file and number of the line, and its time, or None."""

    said: Said
    file: str
    line: int
    time: Stamp | None


@dataclass(frozen=True)
class Aside:
    """A line that has the mark of a broker's line and is none that is known: where, and why it was put aside."""

    file: str
    line: int
    reason: str


@dataclass
class Log:
    """All that was read: how many lines, what some say, what was put aside, and the last time of each file."""

    lines: int = 0
    heard: list[Heard] = field(default_factory=list)
    aside: int = 0
    samples: list[Aside] = field(default_factory=list)
    last: Stamp | None = None
    brokers: set[str] = field(default_factory=set)


BROKERS = {
    "artemis": re.compile(r"\bAMQ22\d{4}|artemis", re.IGNORECASE),
    "classic": re.compile(r"activemq\.(?:broker|usage|store|kaha|transport)|\bActiveMQ \d\.", re.IGNORECASE),
    "qpid": re.compile(r"\b(?:BRK|QUE|CHN|CON|MST|VHT)-\d{4}|org\.apache\.qpid"),
    "rabbitmq": re.compile(r"rabbit", re.IGNORECASE),
    "andes": re.compile(r"wso2\.andes"),
}


def read(files: Iterable[tuple[str, BinaryIO]], day: date | None = None) -> Log:
    """What logs say, sorted by time where every line has one with a date; `day` is that of a time without a date."""
    log = Log()
    for name, file in files:
        _read_file(log, name, file, day)
    if all(heard.time is not None and heard.time.dated for heard in log.heard):
        log.heard.sort(key=lambda heard: heard.time.moment if heard.time else None)  # type: ignore[arg-type,return-value]
    return log


def _read_file(log: Log, name: str, file: BinaryIO, day: date | None) -> None:
    before: deque[str] = deque(maxlen=LOOKED_BACK)
    lines = (COLOUR.sub("", raw) if "\x1b" in raw else raw for raw in _lines(file))
    after = deque(islice(lines, WRAPPED))
    count = 0
    while after:
        count += 1
        log.lines += 1
        text = after.popleft()
        after.extend(islice(lines, 1))
        if count <= RECOGNISED_IN:
            log.brokers.update(broker for broker, known in BROKERS.items() if known.search(text))
        if MARK.search(text):
            text = plain(plain(text))
            _read_line(log, name, count, text, before, after, day)
        before.append(text)
    last = _time(before, day)
    if last is not None and (log.last is None or last.moment > log.last.moment):
        log.last = last


def _lines(file: BinaryIO) -> Iterator[str]:
    start = file.read(2)
    if start in (b"\xff\xfe", b"\xfe\xff"):
        yield from (start + file.read()).decode("utf-16", "replace").splitlines()
        return
    rest = start
    while line := file.readline(LONGEST):
        whole = (rest + line).decode("utf-8", "replace").rstrip("\r\n")
        yield whole.lstrip("\ufeff")
        rest = b""
        while not line.endswith(b"\n") and (line := file.readline(LONGEST)):
            pass  # what a line has past the longest that is looked at
    if rest.strip():
        yield rest.decode("utf-8", "replace")


def _read_line(
    log: Log, name: str, count: int, text: str, before: deque[str], after: deque[str], day: date | None
) -> None:
    quoted = False
    around = ((False, whole) for whole in _wrapped(text, before, after))
    for cut_off, whole in chain([(False, text)], around, [(True, text)]):
        for form in FORMS:
            if form.mark not in text or form.cut_off is not cut_off:
                continue
            found = form.pattern.search(whole)
            if found is None:
                continue
            if is_prefix(whole[: found.start()]):
                time = time_in(whole[: found.start()], day) or _time(before, day)
                log.heard.append(Heard(form.says(found.groupdict()), name, count, time))
                return
            quoted = True
    log.aside += 1
    if len(log.samples) < SAMPLES:
        reason = "other text stands in front of the broker's message" if quoted else "no form of this line is known"
        log.samples.append(Aside(name, count, reason))


def _wrapped(text: str, before: deque[str], after: deque[str]) -> Iterator[str]:
    """The line with those around it that may be parts of the same, as mails wrap them."""
    following = takewhile(lambda line: line.strip() and time_in(line[:60]) is None, after)
    wholes = list(accumulate((line.strip() for line in following), "{} {}".format, initial=text.rstrip()))
    yield from wholes[1:]
    for back in range(1, min(WRAPPED, len(before)) + 1):
        start = " ".join(line.strip() for line in list(before)[-back:])
        yield from (f"{start} {whole.strip()}" for whole in wholes)


def _time(before: Iterable[str], day: date | None) -> Stamp | None:
    """The time of the nearest line in front that has one at its beginning."""
    for line in reversed(list(before)):
        found = time_in(plain(line)[:120], day)
        if found is not None:
            return found
    return None


def opened(name: str) -> BinaryIO:
    """A log of this name, unpacked where it is a .gz; BadInput where it cannot be read."""
    try:
        file: BinaryIO = gzip.open(name) if name.endswith(".gz") else Path(name).open("rb")  # type: ignore[assignment]  # noqa: SIM115
        file.peek(1)  # type: ignore[attr-defined]
    except (OSError, EOFError) as error:
        raise BadInput(
            f"expected a log that can be read, but {getattr(error, 'strerror', None) or error}", file=name
        ) from None
    return file
