"""Answers of the clients' process to the adapter, beside the words of the contract."""

from dataclasses import dataclass

TEMPORARY = "temp-queue://"
"""The beginning of the name of a temporary queue, as in OpenWire's own names of destinations."""


@dataclass(frozen=True)
class Ended:
    """The end of a JMS call."""

    reason: str = ""
    """The exception of the call, class first; empty if the call returned."""
    answered: bool = True
    """Whether the call waited for the broker's answer."""


@dataclass(frozen=True)
class Attached:
    """The broker's identifiers of a producer."""

    producer_id: str
    port: int
    """The TCP port of its connection, on the client's side."""
