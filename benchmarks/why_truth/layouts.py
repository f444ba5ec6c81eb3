"""Records of a broker's log, and the layouts in which people see them."""

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

RECORD = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d,\d{3})(?P<zone>Z?) (?P<level>[A-Z]+) +"
    r"(?:\[(?P<bracket>[^\]]*)\]) (?:\((?P<logger>[^)]*)\) - )?(?P<message>.*)"
)


@dataclass(frozen=True)
class Record:
    """One record: its time in ms since the epoch, or 0 for a line without one, and the line of the broker."""

    time: int
    line: str
    level: str = ""
    thread: str = ""
    logger: str = ""
    message: str = ""

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(self.time / 1000, UTC)

    def shifted(self, ms: int) -> "Record":
        """The record as if written `ms` later."""
        if not self.time:
            return self
        later = replace(self, time=self.time + ms)
        style = "T" if self.line[10] == "T" else " "
        return replace(
            later, line=later.at.strftime(f"%Y-%m-%d{style}%H:%M:%S,") + f"{later.time % 1000:03}" + self.line[23:]
        )


def records(log: Path) -> list[Record]:
    """The records of a log; a line without a time is a record with time 0 and without a level."""
    found: list[Record] = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        match = RECORD.match(line)
        if match is None:
            found.append(Record(0, line))
            continue
        moment = datetime.strptime(f"{match['date']} {match['time']}000+0000", "%Y-%m-%d %H:%M:%S,%f%z")
        time = round(moment.timestamp() * 1000)
        qpid = match["logger"] is not None
        thread, logger = (match["bracket"], match["logger"]) if qpid else ("", match["bracket"])
        found.append(Record(time, line, match["level"], thread, logger, match["message"]))
    return found


def _iso(record: Record) -> str:
    return record.at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{record.time % 1000:03}456789Z"


def _dated(style: str) -> Callable[[Record, int], list[str]]:
    def lines(record: Record, number: int) -> list[str]:
        if not record.time:
            return [record.line]
        time = record.at.strftime(style).replace("MS", f"{record.time % 1000:03}")
        return [f"{time} {record.level} [{record.logger}] {record.message}"]

    return lines


def _in_front(front: Callable[[Record, int], str]) -> Callable[[Record, int], list[str]]:
    return lambda record, number: [front(record, number) + record.line]


def _json(fields: Callable[[Record], dict[str, object]]) -> Callable[[Record, int], list[str]]:
    def lines(record: Record, number: int) -> list[str]:
        return [json.dumps(fields(record))] if record.time else []

    return lines


def _docker_json(record: Record, number: int) -> list[str]:
    return [json.dumps({"log": record.line + "\n", "stream": "stdout", "time": _iso(record)})] if record.time else []


def _jul(record: Record, number: int) -> list[str]:
    if not record.time:
        return [record.line]
    time = record.at.strftime("%b %d, %Y %I:%M:%S %p")
    return [f"{time} {record.logger or 'org.apache.qpid.server.Main'} log", f"{record.level}: {record.message}"]


def _bars(record: Record, number: int) -> list[str]:
    """The layout of the log of a Classic distribution."""
    if not record.time:
        return [record.line]
    time = record.at.strftime("%Y-%m-%d %H:%M:%S,") + f"{record.time % 1000:03}"
    return [f"{time} | {record.level:<5} | {record.message} | {record.logger} | {record.thread or 'main'}"]


def _colour(record: Record, number: int) -> list[str]:
    if not record.time:
        return [record.line]
    stamp, rest = record.line[:23], record.line[23:]
    return [
        f"\x1b[36m{stamp}\x1b[0m{rest[:1]}\x1b[1;33m{rest[1:].partition(' ')[0]}\x1b[m {rest[1:].partition(' ')[2]}"
    ]


def _wrapped(record: Record, number: int) -> list[str]:
    return textwrap.wrap(record.line, 80, break_long_words=False, break_on_hyphens=False) or [""]


def _broken(record: Record, number: int) -> list[str]:
    return [record.line[at : at + 100] for at in range(0, len(record.line), 100)] or [""]


def _quoted(record: Record, number: int) -> list[str]:
    return [f"> {line}" for line in _wrapped(record, number)]


LAYOUTS: dict[str, Callable[[Record, int], list[str]]] = {
    "as is": lambda record, number: [record.line],
    "docker logs -t": lambda record, number: [f"{_iso(record)} {record.line}"] if record.time else [record.line],
    "compose": _in_front(lambda record, number: "broker-1  | "),
    "journald": lambda record, number: (
        [f"{record.at:%b %d %H:%M:%S} host1 broker[812]: {record.line}"] if record.time else []
    ),
    "kubelet": lambda record, number: [f"{_iso(record)} stdout F {record.line}"] if record.time else [],
    "stern": _in_front(lambda record, number: "broker-0 broker "),
    "grep -H": _in_front(lambda record, number: "log/broker.log:"),
    "grep -Hn": _in_front(lambda record, number: f"broker.log:{number}:"),
    "bars": _bars,
    "service wrapper": _in_front(lambda record, number: f"INFO   | jvm 1    | {record.at:%Y/%m/%d %H:%M:%S} | "),
    "coloured": _colour,
    "docker json-file": _docker_json,
    "log4j2 JSON": _json(
        lambda record: {
            "instant": {"epochSecond": record.time // 1000, "nanoOfSecond": record.time % 1000 * 1_000_000},
            "thread": record.thread or "main",
            "level": record.level,
            "loggerName": record.logger,
            "message": record.message,
            "endOfBatch": False,
            "threadId": 31,
        }
    ),
    "ECS": _json(
        lambda record: {
            "@timestamp": record.at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{record.time % 1000:03}Z",
            "ecs.version": "1.2.0",
            "log.level": record.level,
            "message": record.message,
            "process.thread.name": record.thread or "main",
            "log.logger": record.logger,
        }
    ),
    "time only": _dated("%H:%M:%S,MS"),
    "German date": _dated("%d.%m.%Y %H:%M:%S,MS"),
    "American date": _dated("%m/%d/%Y %I:%M:%S.MS %p"),
    "month by name": _dated("%d-%b-%Y %H:%M:%S.MS"),
    "Kibana": _dated("%b %d, %Y @ %H:%M:%S.MS"),
    "java.util.logging": _jul,
    "wrapped at 80": _wrapped,
    "broken at 100": _broken,
    "quoted": _quoted,
}
"""By name, the lines of a record, given its number in the log."""
