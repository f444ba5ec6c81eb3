"""The answer of the broker's process about the producers and connections that wait."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Held:
    """The producers and connections that wait for space."""

    producers: frozenset[str]
    """The JMS ids of producers with an unanswered message that the broker holds."""
    ports: frozenset[int]
    """The TCP ports of clients whose connection the broker reads no further."""
