"""What a running broker told: its version, how many destinations it has, and which of them hold producers up."""

from dataclasses import dataclass

from tidegate.why.notices import Said


@dataclass(frozen=True)
class Told:
    """`product` and `release` are those of the broker, and `said` is as of the lines of a log."""

    product: str
    release: str
    destinations: int
    said: tuple[Said, ...]
