"""Recognises lines about blocked producers that were cut off: texts that end within the beginning of a known line."""

import re
from dataclasses import dataclass, replace

from tidegate.why.lines import artemis, artemis_client, classic, pulsar, qpid, qpid_client, rabbitmq
from tidegate.why.notices import Blocked, Said
from tidegate.why.prefixes import is_prefix

LEAST = 16
"""The least number of characters of a beginning; fewer occur in other lines as well."""


REFUSAL = re.compile(r"ResourceAllocationException|forcing exception on send")


@dataclass(frozen=True)
class Opening:
    """The words of a line in front of its figures and names, and the statement of the line without these."""

    text: str
    said: Said


OPENINGS = (
    Opening("memory resource limit alarm set on node", Blocked(rabbitmq.MEMORY)),
    Opening("disk resource limit alarm set on node", Blocked(rabbitmq.DISK)),
    Opening("vm_memory_high_watermark set. Memory used:", Blocked(rabbitmq.MEMORY)),
    Opening("Free disk space is insufficient. Free bytes:", Blocked(rabbitmq.DISK)),
    Opening("Disk free space insufficient. Free bytes:", Blocked(rabbitmq.DISK)),
    Opening("AMQ222183: Blocking message production on address", Blocked(artemis.CUT)),
    Opening("AMQ222212: Disk Full! Blocking message production", Blocked(replace(artemis.DISK, place_is=""))),
    Opening("AMQ224114: Address control block, blocking message production", Blocked(artemis.ORDER)),
    Opening("AMQ212054: Destination address=", Blocked(artemis_client.NO_CREDIT, "", "a Core client")),
    Opening("Usage Manager Memory Limit reached", Blocked(classic.EITHER_MEMORY)),
    Opening("Usage Manager Store is Full", Blocked(classic.STORE)),
    Opening("Usage Manager Temp Store is Full", Blocked(classic.TEMP)),
    Opening("Persistent store is Full", Blocked(classic.STORE)),
    Opening("QUE-1003 : Overfull : Size :", Blocked(qpid.CUT, qpid.NOT_NAMED)),
    Opening("CHN-1005 : Flow Control Enforced", Blocked(qpid.ORDERED, "", "a channel")),
    Opening("MST-1008 : Store overfull, flow control will be enforced", Blocked(qpid.STORE)),
    Opening("Message send delayed by", Blocked(qpid_client.WAITS, "", "a client")),
    Opening(pulsar.CREATE, Blocked(pulsar.BACKLOG)),
    Opening("Producer is blocked on creation because backlog exceeded", Blocked(pulsar.HELD)),
)


def begun(line: str) -> tuple[str, Said] | None:
    """The text in front of a cut-off line at the end of `line`, and the statement of the cut-off line.

    None if the line's end begins no known line, or begins known lines with different statements.
    """
    text = line.rstrip(" .…")
    found = [(length, opening.said) for opening in OPENINGS if (length := _left(text, opening.text))]
    longest = max((length for length, _ in found), default=0)
    said = {said for length, said in found if length == longest}
    front = text[: len(text) - longest]
    if len(said) != 1 or not is_prefix(front):
        return None
    return front, _thrown(said.pop()) if REFUSAL.search(front) else said.pop()


def _thrown(said: Said) -> Said:
    """The statement of a cut-off message in an exception that refuses a send."""
    refused = classic.REFUSED.get(said.cause) if isinstance(said, Blocked) else None
    return replace(said, cause=refused) if isinstance(said, Blocked) and refused is not None else said


def _left(text: str, opening: str) -> int:
    """The number of characters of the opening that the text ends with; 0 if they are too few."""
    lengths = range(min(len(opening), len(text)), LEAST - 1, -1)
    return next((length for length in lengths if text.endswith(opening[:length])), 0)
