"""The answer of a running broker: its version, its number of destinations, and the destinations that hold
producers up."""

from dataclasses import dataclass

from tidegate.why.notices import Said


@dataclass(frozen=True)
class Told:
    """`product` and `release` of the broker, and in `said` the statements that log lines would make."""

    product: str
    release: str
    destinations: int
    said: tuple[Said, ...]
    note: str = ""
    """Facts that this release cannot tell."""
