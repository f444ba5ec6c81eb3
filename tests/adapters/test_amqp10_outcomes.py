"""What a delivery's state says to the sender of the message."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from proton import Delivery, Described, ulong

from tidegate.adapters.amqp10.outcomes import outcome_of

ID = b"transaction 1"
REFUSED = SimpleNamespace(name="amqp:resource-limit-exceeded", description="full")


def delivery(code: int, data: list[Any] | None = None, condition: Any = None) -> Delivery:
    return cast(Delivery, SimpleNamespace(remote_state=code, remote=SimpleNamespace(data=data, condition=condition)))


@pytest.mark.parametrize(
    ("told", "state", "condition", "transaction"),
    [
        (delivery(0x24), "accepted", None, None),
        (delivery(0x25, condition=REFUSED), "rejected", "amqp:resource-limit-exceeded", None),
        (delivery(0x33, [ID]), "declared", None, ID),
        (delivery(0x34, [ID, Described(ulong(0x24), [])]), "accepted", None, ID),
        (delivery(0x34, [ID, Described(ulong(0x26), [])]), "released", None, ID),
    ],
)
def test_an_outcome_says_its_state_and_its_transaction(
    told: Delivery, state: str, condition: str | None, transaction: bytes | None
) -> None:
    outcome = outcome_of(told)
    assert outcome is not None
    assert (outcome.state, outcome.condition, outcome.transaction) == (state, condition, transaction)


@pytest.mark.parametrize("told", [delivery(0), delivery(0x23), delivery(0x34, [ID])])
def test_a_state_without_an_outcome_is_none(told: Delivery) -> None:
    assert outcome_of(told) is None
