"""One line of a log, as the reader of a broker's log makes something of it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from headgate.pipeline.ingest.line_form import Unparsed
from headgate.record.events import Event

ReadLine = Callable[[str, str, int], Event | Unparsed | None]
"""From a line's text, the name of its log and its number to an event; None where it is about something else."""

STAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{3}(?:Z|[+-]\d\d:?\d\d)?(?!\S)")


def time_of(line: str) -> int | Unparsed:
    """When the line was written, in ms since the epoch; a time without a zone is UTC."""
    found = STAMP.match(line)
    if found is None:
        return Unparsed("expected a time in front, such as 2026-01-31 23:59:59,123", "time")
    try:
        moment = datetime.fromisoformat(found[0])
    except ValueError as error:
        return Unparsed(f"expected a time in front, but {error}", "time")
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    since_epoch = moment - datetime.fromtimestamp(0, UTC)
    milliseconds = since_epoch.days * 86_400_000 + since_epoch.seconds * 1000 + since_epoch.microseconds // 1000
    if milliseconds < 0:
        return Unparsed(f"expected a time since 1970, not {found[0]}", "time")
    return milliseconds
