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
    "kind": ("", "the kind of the event, see below"),
    "destination": ("", "queue or address"),
    "connection": ("", "the connection that the event is about"),
    "channel": ("", "the unit that a broker stops as a whole; for AMQP 1.0 the same as the producer"),
    "producer": ("", "one sending client, or one sending link"),
    "message_id": ("", "the id of a message, the same when it is sent and when it is delivered"),
    "bytes": ("bytes", "send: the charge of the message; level: the bytes that the destination holds"),
    "messages": ("messages", "the number of messages that the destination holds, or that were sent"),
    "credit": ("credits", "the credits that were issued or lost; standing: the credits left"),
    "outcome": ("", "send: the outcome for the client; standing: stopped or free; limits: the policy"),
    "limit": ("bytes", "the upper level; -1: no limit; in credits if the cause is credit"),
    "resume": ("bytes", "the lower level; in credits if the cause is credit"),
    "cause": ("", "the limit that is set; or the event before a level; or the broker's reason in a log line"),
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
    return table(["kind", "meaning"], [(code(each.value), texts[each.name]) for each in Kind])
