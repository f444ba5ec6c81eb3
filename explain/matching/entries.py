"""Entries of a configuration that apply to the destinations of a pattern."""

from typing import Protocol, TypeVar


class Matched(Protocol):
    """An entry that is found by its pattern."""

    @property
    def match(self) -> str:
        """The pattern."""


Found = TypeVar("Found", bound=Matched)
"""The type of the entries of one broker."""
