"""What the process of the broker tells the adapter of whom it makes wait."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Held:
    """Who the broker makes wait for space."""

    producers: frozenset[str]
    """Ids of producers, as JMS has them, of which it holds a message without an answer."""
    ports: frozenset[int]
    """TCP ports of clients whose connection it reads no further."""
