"""What a message is charged decides which sizes messages can have."""

import pytest

from tidegate.adapters.base import AdapterError
from tidegate.adapters.charge import Charge, calibrated


def test_a_charge_has_exact_sizes_but_for_the_gap_between_short_and_long_bodies() -> None:
    charge = Charge(short=441, long=444)
    assert charge.body_bytes(443, "m1") == 0
    assert charge.body_bytes(698, "m1") == 255
    assert charge.body_bytes(702, "m1") == 256
    for size in (442, 699, 700, 701):
        with pytest.raises(AdapterError, match=f"exactly {size} bytes"):
            charge.body_bytes(size, "m1")


def test_a_charge_that_is_not_linear_is_refused() -> None:
    assert calibrated(lambda message_id, body: 441 + len(message_id) + body) == Charge(441, 441)
    with pytest.raises(AdapterError, match="expected one"):
        calibrated(lambda message_id, body: 441 + 2 * len(message_id) + body)
