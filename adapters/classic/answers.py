"""What the processes of the broker and of the clients tell the adapter, beside the words of the contract."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Held:
    """Who the broker makes wait for space."""

    producers: frozenset[str]
    """Ids of producers, as JMS has them, of which it holds a message without an answer."""
    ports: frozenset[int]
    """TCP ports of clients whose connection it reads no further."""


@dataclass(frozen=True)
class Ended:
    """How a call of JMS ended."""

    reason: str = ""
    """The exception of the call, class first; empty if the call returned."""
    answered: bool = True
    """Whether it waited for the broker's answer."""


@dataclass(frozen=True)
class Attached:
    """What the broker knows a producer by."""

    producer_id: str
    port: int
    """TCP port of its connection, on the client's side."""
