"""Alerts: what somebody should look at, as one line for a person and as one JSON object for a program."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from tidegate.pipeline.stream.standing import Overdue, Patience, Trouble


class AlertKind(StrEnum):
    """What an alert is about."""

    STOPPED_TOO_LONG = Trouble.TOO_LONG
    ROOM_BUT_STOPPED = Trouble.BESIDE_ROOM
    VIOLATION = "violation"
    PUT_ASIDE = "put-aside"
    """A line looks relevant and could not be read."""
    GAP = "gap"
    """Lines of the log may be lost, and with them what was known of it."""
    UNREADABLE = "unreadable"
    """The log cannot be read now."""


@dataclass(frozen=True)
class Alert:
    """One alert about a log; fields that its subject does not have are null. Times are the log's, in ms."""

    alert: AlertKind
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


def of_stops(overdue: Iterable[Overdue], log: str, patience: Patience) -> Iterable[Alert]:
    """An alert for each stop that has become trouble."""
    for each in overdue:
        stop = each.stop
        by = "".join([f" by {stop.destination}" if stop.destination else "", stop.resource and f" for {stop.resource}"])
        words = f"{stop.who} stopped{by} since {stamp(stop.since)}, longer than {patience.stopped_ms:,} ms"
        if each.trouble is Trouble.BESIDE_ROOM:
            words = (
                f"{stop.who} still stopped{by}, which has room since {stamp(stop.room_since)}, "
                f"more than {patience.room_ms:,} ms"
            )
        yield Alert(AlertKind(each.trouble), log, words, each.at, stop.who, stop.destination or None, stop.since)


def stamp(time: int | None) -> str:
    """A moment as logs write it, in UTC."""
    if time is None:
        return ""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=time)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{time % 1000:03d}Z"
