"""What the process of the clients tells the adapter, beside the words of the contract."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Taken:
    """What a consumer was handed."""

    message_id: str | None = None
    held_back: bool = False
    """Its client holds the call back, for its rate."""
