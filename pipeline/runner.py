"""Where work over many pieces is done: in this process, or elsewhere. The work is the same."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Runner(Protocol):
    """Does work on each item apart; results come in the order of the items and are small, for they come by memory."""

    @property
    def workers(self) -> int:
        """How many items it works on at the same time."""

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """What the work makes of each item. What it raises for one of them is raised here."""


class Here(NamedTuple):
    """In this process, one item after the other."""

    workers: int = 1

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        return [work(item) for item in items]
