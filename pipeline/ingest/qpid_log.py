"""Lines of the Qpid broker's operational log: `TIME … [who caused it] [what it is about] CODE : text`."""

import re
from collections.abc import Mapping

from headgate.model.message_text import Field
from headgate.model.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from headgate.pipeline.ingest.line import time_of
from headgate.pipeline.ingest.line_form import LineForm, Unparsed
from headgate.record.events import Event, Kind

KINDS = {
    QUEUE_OVERFULL.code: Kind.OVERFULL,
    QUEUE_UNDERFULL.code: Kind.UNDERFULL,
    CHANNEL_STOPPED.code: Kind.STOP,
    CHANNEL_RELEASED.code: Kind.RELEASE,
}
FORMS = {
    message.code: LineForm.of(message)
    for message in (QUEUE_OVERFULL, QUEUE_UNDERFULL, CHANNEL_STOPPED, CHANNEL_RELEASED)
}
CODE = re.compile("|".join(map(re.escape, FORMS)))
QUEUE = re.compile(r"vh\(/?(?P<host>[^()]*)\)/qu\((?P<queue>.*)\)")
CHANNEL = re.compile(r"(?P<connection>con:\d+\(.*/(?P<host>[^/]*)\))/ch:\d+")


def read_line(line: str, log: str, number: int) -> Event | Unparsed | None:
    """The event that a line tells of. Destinations are `host/queue`, channels as the log names them."""
    code = CODE.search(line)
    if code is None:
        return None
    time = time_of(line)
    if isinstance(time, Unparsed):
        return time
    fields = FORMS[code[0]].parse(line[code.start() :])
    if isinstance(fields, Unparsed):
        return fields
    subject = _subject(line[: code.start()])
    kind = KINDS[code[0]]
    if kind in (Kind.OVERFULL, Kind.UNDERFULL):
        return _about_queue(kind, subject, fields, time, log, number, code[0])
    return _about_channel(kind, subject, fields, time, log, number, code[0])


def _subject(head: str) -> str:
    """What stands in the second of the two brackets in front of the code; a name may hold brackets itself."""
    return head.rpartition("] [")[2].rstrip().removesuffix("]")


def _about_queue(
    kind: Kind, subject: str, fields: Mapping[str, Field], time: int, log: str, number: int, code: str
) -> Event | Unparsed:
    queue = QUEUE.fullmatch(subject)
    if queue is None:
        return Unparsed("expected two brackets in front of the code, the second [vh(/HOST)/qu(QUEUE)]", "destination")
    return Event(
        source=log, seq=number, time=time, kind=kind, destination=f"{queue['host']}/{queue['queue']}",
        bytes=_number(fields, "size"), limit=_number(fields, "capacity"), resume=_number(fields, "resume"),
        cause=code,
    )  # fmt: skip


def _about_channel(
    kind: Kind, subject: str, fields: Mapping[str, Field], time: int, log: str, number: int, code: str
) -> Event | Unparsed:
    channel = CHANNEL.fullmatch(subject)
    if channel is None:
        return Unparsed("expected two brackets in front of the code, the second [con:N(…/HOST)/ch:N]", "channel")
    destination = f"{channel['host']}/{fields['queue']}" if "queue" in fields else None
    return Event(
        source=log, seq=number, time=time, kind=kind, destination=destination,
        connection=channel["connection"], channel=subject, cause=code,
    )  # fmt: skip


def _number(fields: Mapping[str, Field], name: str) -> int | None:
    value = fields.get(name)
    return value if isinstance(value, int) else None
