"""Cuts a failing sequence down: actions are left out as long as the rest fails alike."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tidegate.conformance.stateful.actions import Action


class HasScript(Protocol):
    """Something with a script that can be cut down."""

    @property
    def script(self) -> tuple[Action, ...]:
        """The actions that lead to the failure."""


Failure = TypeVar("Failure", bound=HasScript)


def shrunk(found: Failure, again: Callable[[Sequence[Action]], Failure | None], most: int) -> Failure:
    """The failure with the shortest script that was found in at most `most` runs.

    `again` runs a script and gives its failure, or None if it did not fail alike.
    """
    size, runs = max(len(found.script) // 2, 1), 0
    while runs < most:
        end, shorter = len(found.script), False
        while end > 0 and runs < most:
            without = (*found.script[: max(end - size, 0)], *found.script[end:])
            runs += 1
            fails = again(without)
            if fails is not None and len(fails.script) < len(found.script):
                found, shorter = fails, True
            end -= size
        if size == 1 and not shorter:
            break
        size = max(size // 2, 1)
    return found
