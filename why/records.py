"""Records of logs that are written as JSON: log4j2's layouts, ECS, and the files of Docker."""

import json
from collections.abc import Mapping
from typing import Any

TEXTS = ("message", "msg", "log", "MESSAGE", "textPayload")
TIMES = ("@timestamp", "timestamp", "time", "ts", "instant", "timeMillis")
LOGGERS = ("loggerName", "logger", "log.logger", "logger_name")


def plain(line: str) -> str:
    """A record as one line of text, `TIME LOGGER MESSAGE`; another line as it is."""
    start = line.find("{")
    if start < 0 or start > 200 or not line.rstrip().endswith("}"):
        return line
    try:
        record = json.loads(line[start:])
    except (ValueError, RecursionError):
        return line
    if not isinstance(record, dict):
        return line
    text = _first(record, TEXTS)
    if isinstance(text, Mapping):
        text = text.get("message")
    if not isinstance(text, str):
        return line
    return " ".join(part for part in (_time(_first(record, TIMES)), _logger(record), text.strip()) if part)


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if key in record), None)


def _time(value: Any) -> str:
    if isinstance(value, Mapping):
        second, nanos = value.get("epochSecond"), value.get("nanoOfSecond", 0)
        value = second + nanos / 1e9 if isinstance(second, int) and isinstance(nanos, int) else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    if isinstance(value, str):
        return value
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return ""


def _logger(record: Mapping[str, Any]) -> str:
    value = _first(record, LOGGERS)
    if value is None and isinstance(record.get("log"), Mapping):
        value = record["log"].get("logger")
    return value if isinstance(value, str) and " " not in value else ""
