"""The event schema: fields, units and kinds."""

from dataclasses import fields

from generate.markup import code, table
from tidegate.record.docstrings import described, written_fields
from tidegate.record.errors import TidegateError
from tidegate.record.events import EMPTY, Event, Kind

MEANING = {
    "source": ("", "the independent stream that the event belongs to: a scenario, or one host's log"),
    "seq": ("", "the place of the event in its source, from 1, without gaps in a trace of the suite"),
    "time": ("ms", "since the epoch, UTC"),
    "kind": ("", "what the event says, see below"),
    "destination": ("", "queue or address"),
    "connection": ("", "the connection that the event is about"),
    "channel": ("", "what a broker stops as a whole; for AMQP 1.0 the same as the producer"),
    "producer": ("", "one sending client, or one sending link"),
    "message_id": ("", "the id by which what was sent and what was delivered are compared"),
    "bytes": ("bytes", "of a send the charge of the message, of a level what the destination holds"),
    "messages": ("messages", "how many the destination holds, or were sent"),
    "credit": ("credits", "how many were issued or lost; for a standing how many are left"),
    "outcome": ("", "of a send what the client was told; of a standing stopped or free; of limits the policy"),
    "limit": ("bytes", "the upper level that is set; -1 for none; in credits where the cause is credit"),
    "resume": ("bytes", "the lower level that is set; in credits where the cause is credit"),
    "cause": ("", "which limit is set; what went before a level; why a broker says what it says"),
}
"""The unit and the meaning of each field."""
TYPES = {
    "str": "text",
    "Kind": "one of the kinds",
    "Ordinal": "from 1",
    "Count": "from 0",
    "Figure": "any",
    "Level": "from -1",
}
"""The types of the fields in words; all but texts are whole numbers."""


def event_fields() -> str:
    """A table of every field. TidegateError if `MEANING` and the schema have different fields."""
    if list(MEANING) != [part.name for part in fields(Event)]:
        raise TidegateError("the fields of the event and of their table in docs/generate/events.py differ")
    rows = []
    for field in written_fields(Event):
        unit, meaning = MEANING[field.name]
        empty = code(repr(EMPTY[field.name])) if field.type.endswith(" | None") else "never null"
        words = TYPES[field.type.removesuffix(" | None")]
        rows.append((code(field.name), words, unit, empty, meaning))
    return table(["field", "type", "unit", "null reads as", "meaning"], rows)


def event_kinds() -> str:
    """A table of every kind of event."""
    texts = described(Kind)
    return table(["kind", "what it says"], [(code(each.value), texts[each.name]) for each in Kind])
