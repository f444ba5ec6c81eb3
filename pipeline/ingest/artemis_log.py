"""Lines of the Artemis log that say that an address is blocked or unblocked, as 2.21 and later write them."""

import re

from headgate.model.artemis import NO_LIMIT
from headgate.model.artemis_log_trace import BY_GLOBAL_SIZE, BY_MESSAGES, BY_SIZE
from headgate.pipeline.ingest.line import time_of
from headgate.pipeline.ingest.line_form import LineForm, Unparsed
from headgate.record.events import Event, Kind

FIGURES = (
    "size={size:plain} bytes ({messages:plain} messages); "
    "maxSize={limit:level} bytes ({message_limit:level} messages); "
    "globalSize={global_size:plain} bytes ({global_messages:plain} messages); "
    "globalMaxSize={global_limit:level} bytes ({global_message_limit:level} messages);"
)
KINDS = {"AMQ222183": Kind.OVERFULL, "AMQ221046": Kind.UNDERFULL}
FORMS = {
    "AMQ222183": LineForm("AMQ222183: Blocking message production on address '{address:quoted}'; " + FIGURES),
    "AMQ221046": LineForm("AMQ221046: Unblocking message production on address '{address:quoted}'; " + FIGURES),
}
CODE = re.compile("|".join(FORMS))


def read_line(line: str, log: str, number: int) -> Event | Unparsed | None:
    """The event that a line tells of; `cause` is which of the line's own limits the address has reached."""
    code = CODE.search(line)
    if code is None:
        return None
    time = time_of(line)
    if isinstance(time, Unparsed):
        return time
    fields = FORMS[code[0]].parse(line[code.start() :])
    if isinstance(fields, Unparsed):
        return fields
    figures = {name: value for name, value in fields.items() if isinstance(value, int)}
    return Event(
        source=log, seq=number, time=time, kind=KINDS[code[0]], destination=str(fields["address"]),
        bytes=figures["size"], messages=figures["messages"], limit=figures["limit"], cause=_cause(figures),
    )  # fmt: skip


def _cause(figures: dict[str, int]) -> str:
    def reached(level: str, limit: str) -> bool:
        return figures[limit] != NO_LIMIT and figures[level] >= figures[limit]

    if reached("global_size", "global_limit") or reached("global_messages", "global_message_limit"):
        return BY_GLOBAL_SIZE
    return BY_MESSAGES if reached("messages", "message_limit") else BY_SIZE
