"""Reads log records in JSON: the names that layouts and collectors give to message, time and logger."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tidegate.why.saved import is_answer

INSIDE = ("_source", "jsonPayload", "event", "record")
"""The names under which collectors keep the record itself: Elasticsearch, Google, others."""
TEXTS = (
    *("message", "msg", "log", "MESSAGE", "textPayload", "short_message", "formattedMessage", "Message", "@message"),
    *("@m", "@mt", "body"),
)
"""The names of a message's text: log4j2, ECS, logstash and WildFly; logfmt-like ones; Docker and fluentd; journald;
Google; GELF; logback; Serilog; OpenTelemetry."""
DETAILS = (
    "full_message",
    "stack_trace",
    "stackTrace",
    "error.stack_trace",
    "exception",
    "thrown",
    "error",
    "throwable",
    "err",
    "exc_info",
    "error.message",
    "exception.message",
    "errorVerbose",
    "stack",
    "stacktrace",
    "Exception",
    "@x",
)
"""The names of fields about an exception."""
TIMES = (
    "@timestamp",
    "timestamp",
    "time",
    "ts",
    "@t",
    "instant",
    "timeMillis",
    "__REALTIME_TIMESTAMP",
    "Timestamp",
    "date",
)
REASON = "reason"
"""The end, in any case, of the name of a field that says why: loggers with fields keep it apart from the message."""
LOGGERS = ("loggerName", "logger", "log.logger", "logger_name", "_logger", "_loggerName", "LoggerName")
OPENING, CLOSING = ("{", "[{", "[ {", "["), ("}", "},", "}, {", "}]", "} ]", "]")
LINES_OF_A_RECORD = 400
FIELD = re.compile(r"[\s>]*\"\w+\"\s*:\s*\"")
WITHIN = re.compile(
    r"(?:\"\w{1,40}\"\s{0,3}:\s{0,3}|\b(?:output|err|error|stderr|log|msg|message)=)\"(?:[^\"\\]|\\[^n]){0,400}\\n"
)
"""The beginning of a text of several lines that is a field within a line, such as the output of a health check."""
BREAK = re.compile(r"(?:\\r)?\\n")
"""The end of a line within a JSON text."""
DEEPEST = 3
"""The most levels of nesting: a record may be the text of another record, as in the files of Docker."""
MS_FROM, MICROS_FROM = 1e11, 1e14
"""A time is in ms from the first figure on, and in microseconds from the second."""


def unwrapped(line: str, depth: int = 0) -> list[str]:
    """A record as lines of text: `TIME LOGGER MESSAGE`, then its further lines; any other line unchanged."""
    record = _record(line)
    if record is not None and {"global", "local"} <= record.keys():  # rabbitmq-diagnostics alarms --formatter json
        return [each for key in ("global", "local") for each in record[key] or () if isinstance(each, str)] or [line]
    text = None if record is None else _text(_first(record, TEXTS))
    if text is None and depth < DEEPEST:
        inner = [*_inner(record if record is not None else _array(line))]
        if inner:
            return [each for one in inner for each in unwrapped(json.dumps(one), depth + 1)]
    if record is None or text is None or depth == DEEPEST:
        return [line]
    lines = [inner for each in text.strip("\r\n").splitlines() or [""] for inner in unwrapped(each, depth + 1)]
    time = _time(_first(record, TIMES)) or _time(_in_parts(record))
    front = " ".join(part for part in (time, _logger(record)) if part)
    lines[0] = f"{front} {lines[0]}".strip()
    for key in DETAILS:
        if key in record:
            lines += [each for detail in _details(record[key]) for each in detail.splitlines()]
    return lines + _reasons(record)


def _array(line: str) -> list[Any]:
    """The elements of a line that is a JSON array."""
    text = line.strip()
    if not text.startswith("[") or not text.endswith("]"):
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _inner(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The records in the lists of an answer, such as the events that a command of a cloud shows."""
    inside = value.values() if isinstance(value, Mapping) else value
    for each in inside if depth <= DEEPEST else ():
        if isinstance(each, list):
            yield from _inner(each, depth + 1)
        elif isinstance(each, Mapping) and isinstance(value, list) and _is_record(each):
            yield each
        elif isinstance(each, Mapping):
            yield from _inner(each, depth + 1)


def _is_record(value: Mapping[str, Any]) -> bool:
    inner: Mapping[str, Any] = next((value[key] for key in INSIDE if isinstance(value.get(key), dict)), {})
    return any(isinstance(_first(each, TEXTS), str) for each in (value, inner))


def lines_of_field(line: str) -> list[str]:
    """The lines of a text, such as a stack, that is one field of a record in one line; any other line unchanged."""
    if "\\n" not in line or (FIELD.match(line) is None and WITHIN.search(line) is None):
        return [line]
    return [text for text in BREAK.split(line.rstrip(' ,"')) if text.strip()]


def fields_of(line: str) -> list[str]:
    """The fields of a line that is just a JSON object or an array of objects; none of any other line."""
    text = line.strip()
    if not text.startswith(("{", "[")) or not text.endswith(("}", "]")):
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    objects = [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict)]
    # Jolokia shows several attributes as the value of one object
    objects += [each["value"] for each in objects if isinstance(each.get("value"), dict)]
    return [f'"{name}": {json.dumps(value)}' for each in objects for name, value in each.items() if _plain(value)]


def _plain(value: Any) -> bool:
    return not isinstance(value, dict | list)


def joined(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Numbered lines; a record that takes several lines becomes one, with the number of its first line.

    A record or an answer of management over several lines begins with a brace or bracket alone in its line, and ends
    with one.
    """
    held: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        if not held and line.rstrip() not in OPENING:
            yield number, line
            continue
        held.append(line)
        closed = line.rstrip() in CLOSING
        whole = "".join(held) if closed else ""
        if closed and (is_answer(whole) or _record(whole) is not None):
            yield number - len(held) + 1, "".join(held)
        elif closed or len(held) > LINES_OF_A_RECORD or (line.rstrip() in OPENING and len(held) > 1):
            yield from enumerate(held, number - len(held) + 1)
        else:
            continue
        held = []
    yield from enumerate(held, number - len(held) + 1)


def _record(line: str) -> Mapping[str, Any] | None:
    start = line.find("{")
    text = line.rstrip().rstrip(", ]{[") if line.rstrip().endswith((",", "]", "{")) else line.rstrip()
    if start < 0 or start > 200 or not text.endswith("}"):
        return None
    try:
        found = json.loads(text[start:])
    except (ValueError, RecursionError):
        return None
    for _ in range(DEEPEST):
        if not isinstance(found, dict):
            return None
        inner = next((found[key] for key in INSIDE if isinstance(found.get(key), dict)), None)
        if inner is None or _first(inner, TEXTS) is None:
            return found
        found = {**{key: found[key] for key in TIMES if key in found}, **inner}
    return found if isinstance(found, dict) else None


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if key in record), None)


def _in_parts(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The time in Google's layout: seconds and nanoseconds."""
    return {"epochSecond": record.get("timestampSeconds"), "nanoOfSecond": record.get("timestampNanos", 0)}


def _text(value: Any) -> str | None:
    if isinstance(value, Mapping):
        value = value.get("message")
    if isinstance(value, list) and all(isinstance(each, int) and 0 <= each < 256 for each in value):
        return bytes(value).decode("utf-8", "replace")  # journald writes a message with colours as an array of bytes
    return value if isinstance(value, str) else None


def _details(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key in ("message", "stack_trace", "stacktrace", "extendedStackTrace"):
            if isinstance(value.get(key), str):
                name = value.get("name") or value.get("type") or value.get("exception_class")
                yield f"{name}: {value[key]}" if key == "message" and isinstance(name, str) else value[key]


def _reasons(record: Mapping[str, Any]) -> list[str]:
    """The reasons in the fields of a record and of the objects in it."""
    inner = [value for value in record.values() if isinstance(value, Mapping)]
    return [
        f"{REASON}: {value}"
        for each in (record, *inner)
        for name, value in each.items()
        if isinstance(value, str) and name.lower().endswith(REASON)
    ]


def _time(value: Any) -> str:
    if isinstance(value, Mapping):
        second, nanos = value.get("epochSecond"), value.get("nanoOfSecond", 0)
        value = second + nanos / 1e9 if isinstance(second, int) and isinstance(nanos, int) else None
    if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    figure = float(value)
    seconds = figure / 1e6 if figure > MICROS_FROM else figure / 1e3 if figure > MS_FROM else figure
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=round(seconds * 1e6))
    except (OverflowError, ValueError):
        return ""
    return moment.isoformat(timespec="milliseconds")


def _logger(record: Mapping[str, Any]) -> str:
    value = _first(record, LOGGERS)
    if value is None and isinstance(record.get("log"), Mapping):
        value = record["log"].get("logger")
    if not isinstance(value, str) or " " in value:
        return ""
    return value if "." in value else f"[{value}]"  # a name without a point may be a word of a message
