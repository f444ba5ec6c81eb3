"""Cuts a failing sequence down: actions are left out, and fewer messages taken, as long as the rest fails alike."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from tidegate.conformance.stateful.actions import Action, Verb


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
    for place, action in enumerate(found.script):
        amounts = range(1, action.amount) if action.verb is Verb.TAKE else ()
        for amount in amounts[: max(most - runs, 0)]:
            runs += 1
            fewer = replace(action, amount=amount)
            fails = again((*found.script[:place], fewer, *found.script[place + 1 :]))
            if fails is not None and len(fails.script) == len(found.script):
                found = fails
                break
    return found
