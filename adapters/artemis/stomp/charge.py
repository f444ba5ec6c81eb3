"""What Artemis charges for a STOMP message, and the headers and the body of a message that is charged a given size.

Artemis writes the body into a buffer that doubles until the body fits. Then it writes the headers behind the body, as
properties, and the buffer grows to exactly what they take. It charges the whole buffer, and the properties once more.
So the charge is linear only if the body is short and the headers are long. A header of padding gives most of the size,
and a short body the last bytes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

from tidegate.adapters.base import AdapterError, Unsupported

UNCHARGED = ("persistent", "expires")
"""Headers that become fields of a message, with no charge of their own."""
ADDRESS = "destination"
"""The header that names the address, without any prefix."""
PADDING = "pad"
"""The header of padding."""
FEWEST_CHARACTERS = 200
"""The fewest characters of all headers, with which these take more than a short body leaves of the smallest buffer."""
DIGITS = 3
"""The digits of the body's length, all of them, in the header that gives the length."""
LEAST_BODY = 10 ** (DIGITS - 1)
LONGER = 100
"""The number of characters or bytes that a probe adds, to measure the charge of each."""
VERIFIED = (1, 2, 3, 7, 100, 333)
"""Multiples of the scale at which the charge must be as computed."""


@dataclass(frozen=True)
class StompCharge:
    """The parts of the charge, in bytes. Each byte of the body is charged one."""

    message: int
    """Charged for each message, without its headers and its body."""
    header: int
    """Charged for each header."""
    character: int
    """Charged for each character of a header's name and value."""
    of_address: int
    """Charged for each character of the address, beside the header that names it."""

    def of_headers(self, headers: Mapping[str, str]) -> int:
        """The charge of the headers of a message, and of the message's address."""
        kept = self.header * len(_kept(headers)) + self.character * _characters(headers)
        return kept + self.of_address * len(headers[ADDRESS])

    def frame(self, headers: Mapping[str, str], size_bytes: int) -> tuple[dict[str, str], bytes]:
        """All headers and the body of a message that has these headers and is charged `size_bytes`.

        Unsupported if there is none: the least message has short names and is charged some 1,500 bytes.
        """
        bare = filled(headers, 0, LEAST_BODY)
        beside = self.message + self.of_headers(bare) + LEAST_BODY
        characters, more_body = divmod(size_bytes - beside, self.character)
        if characters < 0 or characters + _characters(bare) < FEWEST_CHARACTERS:
            raise Unsupported(f"no message with the headers {dict(headers)} is charged exactly {size_bytes} bytes")
        body_bytes = LEAST_BODY + more_body
        return filled(headers, characters, body_bytes), bytes(body_bytes)


def filled(headers: Mapping[str, str], characters: int, body_bytes: int) -> dict[str, str]:
    """The headers with some characters of padding, and with the length of a body."""
    return {**headers, PADDING: "x" * characters, "content-length": str(body_bytes)}


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that become properties."""
    return {name: value for name, value in headers.items() if name not in UNCHARGED}


def _characters(headers: Mapping[str, str]) -> int:
    """The number of characters in names and values of the headers that become properties."""
    return sum(len(name) + len(value) for name, value in _kept(headers).items())


def calibrated(
    charged: Callable[[Mapping[str, str], bytes], int], headers: Mapping[str, str], scale: int
) -> StompCharge:
    """The charge, from a function that sends headers and a body, and gives their charge in bytes.

    `headers` are a message's headers. A further probe goes to an address with a longer name. AdapterError if messages
    of multiples of `scale` bytes are not charged as computed.
    """
    elsewhere = {**headers, ADDRESS: headers[ADDRESS] + "-again"}

    def probed(headers: Mapping[str, str], characters: int = FEWEST_CHARACTERS) -> int:
        return charged(filled(headers, characters, LEAST_BODY), bytes(LEAST_BODY))

    least = probed(headers)
    character = _even(probed(headers, FEWEST_CHARACTERS + LONGER) - least, LONGER)
    one_header = probed({**headers, "x": "y"}) - least - 2 * character
    longer = len(elsewhere[ADDRESS]) - len(headers[ADDRESS])
    of_address = _even(probed(elsewhere) - least, longer) - character
    parts = StompCharge(0, one_header, character, of_address)
    beside = least - parts.of_headers(filled(headers, FEWEST_CHARACTERS, LEAST_BODY)) - LEAST_BODY
    found = replace(parts, message=beside)
    for times, more, sent in product(VERIFIED, range(2), (headers, elsewhere)):
        wanted = times * scale + more
        seen = charged(*found.frame(sent, wanted))
        if seen != wanted:
            raise AdapterError(f"a message that was to be charged {wanted} bytes is charged {seen}")
    return found


def _even(charge: int, characters: int) -> int:
    """The charge of each of some characters, in bytes."""
    each, rest = divmod(charge, characters)
    if rest or each <= 0:
        raise AdapterError(f"{characters} further characters are charged {charge} bytes, not evenly")
    return each
