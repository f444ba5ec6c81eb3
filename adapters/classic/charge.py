"""What Classic charges for a message, found out by sending some."""

from collections.abc import Callable
from dataclasses import dataclass

from headgate.adapters.base import AdapterError

PROBES = ((1, 0), (40, 1), (8, 100_000))
"""Bytes of message id and of body; what is charged beyond the body must be one figure, or it is not linear."""


@dataclass(frozen=True)
class Charge:
    """Bytes charged beyond the bytes of the body, whatever the message id."""

    beyond_body: int

    def body_bytes(self, size_bytes: int) -> int:
        """Bytes of body with which a message is charged exactly `size_bytes`; AdapterError if none."""
        if size_bytes < self.beyond_body:
            raise AdapterError(f"no message is charged exactly {size_bytes} bytes: {self.beyond_body} are the least")
        return size_bytes - self.beyond_body


def calibrated(charged: Callable[[str, int], int]) -> Charge:
    """The charge, given what a message of an id and of so many bytes of body is charged. AdapterError if not linear."""
    found = {charged("i" * id_bytes, body) - body for id_bytes, body in PROBES}
    if len(found) != 1:
        raise AdapterError(f"messages are charged {sorted(found)} bytes beyond their bodies, not one figure")
    return Charge(found.pop())
