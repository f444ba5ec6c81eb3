"""What the process of the clients tells the adapter, beside the words of the contract."""

from dataclasses import dataclass


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
