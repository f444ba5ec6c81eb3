"""Alerts of a watch: one line for a person, and one JSON object for a program."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum


class About(StrEnum):
    """The subject of an alert."""

    TOO_LONG = "stopped-too-long"
    BESIDE_ROOM = "room-but-stopped"
    VIOLATION = "violation"
    PUT_ASIDE = "put-aside"
    """A line has a mark and could not be read."""
    GAP = "gap"
    """Lines of the log may be lost, and with them the state of its stops."""
    UNREADABLE = "unreadable"
    """The log cannot be read now."""


@dataclass(frozen=True)
class Alert:
    """One alert about a log; fields without a value are null. Times are the log's, in ms since the epoch."""

    alert: About
    log: str
    words: str
    time: int | None = None
    who: str | None = None
    destination: str | None = None
    since: int | None = None
    rule: str | None = None
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = self.log if self.line is None else f"{self.file}:{self.line}"
        return " ".join(part for part in (stamp(self.time), f"{self.alert}:", self.words, f"({place})") if part)

    def as_json(self) -> dict[str, object]:
        """The fields that are not null."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def stamp(time: int | None) -> str:
    """A time as logs write it, in UTC; empty for None."""
    if time is None:
        return ""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=time)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{time % 1000:03d}Z"
