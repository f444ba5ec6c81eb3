"""The charge of a STOMP message on Artemis: parts, a message of each size, and charges that are not as computed."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from tidegate.adapters.artemis.stomp.charge import StompCharge, calibrated
from tidegate.adapters.base import AdapterError, Unsupported

CHARGE = StompCharge(message=466, header=26, character=4, of_address=2)
HEADERS = {"destination": "queue", "id": "m", "receipt": "1"}


def charging(charge: StompCharge) -> Callable[[Mapping[str, str], bytes], int]:
    """A broker that charges so."""
    return lambda headers, body: charge.message + charge.of_headers(headers) + len(body)


def test_the_parts_are_measured() -> None:
    assert calibrated(charging(CHARGE), HEADERS, 2000) == CHARGE


@pytest.mark.parametrize("size", [2000, 2001, 2002, 2003, 1_000_000])
def test_a_message_has_the_size_that_is_asked_for(size: int) -> None:
    headers, body = CHARGE.frame({**HEADERS, "persistent": "true", "expires": "123"}, size)
    assert charging(CHARGE)(headers, body) == size
    assert headers["content-length"] == str(len(body))


def test_too_small_a_message_is_unsupported() -> None:
    with pytest.raises(Unsupported, match="is charged exactly 1000 bytes"):
        CHARGE.frame(HEADERS, 1000)


def test_a_broker_that_charges_otherwise_is_found_out() -> None:
    def stepped(headers: Mapping[str, str], body: bytes) -> int:
        charge = charging(CHARGE)(headers, body)
        return charge if charge < 4000 else charge + 1

    with pytest.raises(AdapterError, match="was to be charged 4000 bytes is charged 4001"):
        calibrated(stepped, HEADERS, 2000)


def test_characters_that_are_not_charged_evenly_are_found_out() -> None:
    with pytest.raises(AdapterError, match="not evenly"):
        calibrated(charging(replace(CHARGE, character=0)), HEADERS, 2000)
