"""The charge of a broker for a message, measured by sending messages."""

from collections.abc import Callable
from dataclasses import dataclass

from tidegate.adapters.base import AdapterError, Unsupported

LONGEST_SHORT_BODY = 255
"""The most bytes of a short body; AMQP encodes the length of a longer body in more bytes."""
SHORT_PROBES = ((1, 0), (40, LONGEST_SHORT_BODY))
LONG_PROBES = ((1, LONGEST_SHORT_BODY + 1), (40, 100_000))
"""Sizes of message id and body in bytes; the charge beyond them must be constant, or it is not linear."""


@dataclass(frozen=True)
class Charge:
    """The bytes charged beyond the bytes of the body and of the message id."""

    short: int
    """The charge for bodies of up to `LONGEST_SHORT_BODY` bytes."""
    long: int
    """The charge for longer bodies."""

    def body_bytes(self, size_bytes: int, message_id: str) -> int:
        """The size of the body, in bytes, with which a message is charged exactly `size_bytes`; Unsupported if there is
        none.

        There may be none, since ids of later messages are longer, and further queues of a destination add to the
        charge.
        """
        rest = size_bytes - len(message_id.encode())
        if 0 <= rest - self.short <= LONGEST_SHORT_BODY:
            return rest - self.short
        if rest - self.long > LONGEST_SHORT_BODY:
            return rest - self.long
        raise Unsupported(f"no message with the id {message_id!r} is charged exactly {size_bytes} bytes")


def calibrated(charged: Callable[[str, int], int]) -> Charge:
    """The charge, from a function that gives the charge of a message with an id and a body of some bytes.

    AdapterError if that charge is not linear in both.
    """
    return Charge(_beyond(charged, SHORT_PROBES), _beyond(charged, LONG_PROBES))


BODY_PROBES = ((1, 40), (40, 41), (8, 100_000))
"""Sizes of message id and body in bytes, for brokers that do not charge the id separately."""


@dataclass(frozen=True)
class ChargeByBody:
    """The bytes charged for a message by its body, independent of the message id."""

    beyond_body: int
    """The charge of a message with an empty body."""
    per_byte: int = 1
    """The charge of each byte of the body."""

    def body_bytes(self, size_bytes: int) -> int:
        """The size of the body, in bytes, with which a message is charged exactly `size_bytes`; AdapterError if
        there is none."""
        body, rest = divmod(size_bytes - self.beyond_body, self.per_byte)
        if body < 0:
            raise AdapterError(f"no message is charged exactly {size_bytes} bytes: the least is {self.beyond_body}")
        if rest:
            raise AdapterError(
                f"no message is charged exactly {size_bytes} bytes: a byte of body costs {self.per_byte}"
            )
        return body


def calibrated_by_body(charged: Callable[[str, int], int]) -> ChargeByBody:
    """The charge, from a function that charges a message with an id and a body of some bytes. AdapterError if not
    linear."""
    found = [(body, charged("i" * id_bytes, body)) for id_bytes, body in BODY_PROBES]
    (least_body, least), (most_body, most) = found[0], found[-1]
    per_byte = max((most - least) // (most_body - least_body), 1)
    beyond = {charge - per_byte * body for body, charge in found}
    if len(beyond) != 1:
        raise AdapterError(f"messages are charged {sorted(beyond)} bytes beyond their bodies; expected one figure")
    return ChargeByBody(beyond.pop(), per_byte)


def _beyond(charged: Callable[[str, int], int], probes: tuple[tuple[int, int], ...]) -> int:
    found = {charged("i" * id_bytes, body) - id_bytes - body for id_bytes, body in probes}
    if len(found) != 1:
        raise AdapterError(f"messages of one kind are charged {sorted(found)} bytes beyond body and id, expected one")
    return found.pop()
