"""Answers of the clients' process to the adapter, beside the words of the contract."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """The answer to a take."""

    message_id: str | None = None
    held_back: bool = False
    """Whether the client holds the call back, for its rate."""
