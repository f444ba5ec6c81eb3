"""The broker's outcome of one delivery, as plain data."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proton import Delivery

STATES: dict[int, str] = {
    Delivery.ACCEPTED: "accepted",
    Delivery.REJECTED: "rejected",
    Delivery.RELEASED: "released",
    Delivery.MODIFIED: "modified",
}
DECLARED, TRANSACTIONAL = 0x33, 0x34
"""The codes of two states about transactions: begun, and an outcome in a transaction. Proton has no names for them."""


@dataclass(frozen=True)
class Outcome:
    """The broker's outcome of one message, or of one request to begin or end a transaction."""

    state: str
    """`accepted`, `rejected`, `released` or `modified`; `declared` for a transaction that began."""
    condition: str | None
    """The AMQP error condition of a rejection, such as `amqp:resource-limit-exceeded`."""
    description: str | None
    at_ns: int
    """The time of the outcome on the monotonic clock, in ns."""
    transaction: bytes | None = None
    """The id of the transaction that began, or in which the outcome holds; None outside of transactions."""


def outcome_of(delivery: Delivery) -> Outcome | None:
    """The outcome that the broker last sent for a delivery; None if it sent none. For the engine's thread."""
    code, now_ns = delivery.remote_state, time.monotonic_ns()
    if code in STATES:
        condition = delivery.remote.condition
        name, description = (None, None) if condition is None else (str(condition.name), condition.description)
        return Outcome(STATES[code], name, description, now_ns)
    if code not in (DECLARED, TRANSACTIONAL):
        return None
    fields: Sequence[Any] = delivery.remote.data or ()
    transaction = bytes(fields[0])
    if code == DECLARED:
        return Outcome("declared", None, None, now_ns, transaction)
    return Outcome(STATES[int(fields[1].descriptor)], None, None, now_ns, transaction) if len(fields) > 1 else None
