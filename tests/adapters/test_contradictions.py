"""Claims that no broker can keep together end a run at its start, and are those that the model says."""

from itertools import combinations
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tests.conformance.honest import PlainQueue, not_green, references, report_on
from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.adapters.capabilities import ALSO_CONTRADICTORY, AT_THE_LIMIT, CAPABILITIES, contradiction
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import catalogue
from tidegate.conformance.runner import run_suite
from tidegate.model.mechanisms import artemis, artemis_producer, classic, qpid, qpid942
from tidegate.model.mechanisms.credit import Window, refill
from tidegate.record.errors import BadInput

LIMIT = 1000
ADDRESS = artemis.AddressLimits(LIMIT, artemis.NO_LIMIT, True)
FULL = classic.full(classic.Destination(LIMIT, True, LIMIT))
STOPS_AT_ITS_LIMIT = {
    "queue-gate": qpid.overfull(qpid.Queue(LIMIT, LIMIT, LIMIT)),
    "policies": qpid942.violated(qpid942.Policy(LIMIT, qpid942.NOT_SET), LIMIT, 1),
    "address-limit": artemis.full(ADDRESS, LIMIT),
    "core-window": not artemis_producer.may_send(artemis_producer.granted(ADDRESS, LIMIT, 0, 1), 1),
    "memory-limit": FULL,
    "suspended-connections": FULL,
}
"""What the model says of a destination that holds exactly its limit."""


def test_every_mechanism_with_a_limit_in_bytes_says_what_holds_at_it() -> None:
    assert AT_THE_LIMIT.keys() == STOPS_AT_ITS_LIMIT.keys()
    for one, other in combinations(AT_THE_LIMIT, 2):
        differ = STOPS_AT_ITS_LIMIT[one] != STOPS_AT_ITS_LIMIT[other]
        assert (AT_THE_LIMIT[one][0] != AT_THE_LIMIT[other][0]) is differ, (one, other)
        assert differ <= (contradiction({one, other}) is not None)


def test_the_rules_that_are_named_are_owed_with_these_capabilities() -> None:
    for capability, (_, rule) in AT_THE_LIMIT.items():
        assert capability in needs_of(rule)
    for together, why in ALSO_CONTRADICTORY.items():
        assert together <= CAPABILITIES
        named = [rule for rule in catalogue() if f"({rule})" in why]
        assert len(named) == 2
        assert together <= frozenset().union(*map(needs_of, named)), why


def test_no_profile_of_the_reference_contradicts_itself() -> None:
    for cls in references():
        assert contradiction(cls.capabilities) is None


class GateWithCredit(QpidReference):
    """A queue gate whose producers are issued credit, refilled at the low mark."""

    capabilities = frozenset({"queue-gate", "amqp-credit", "limits-readable"})

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[str, Window] = {}
        self._credits: dict[str, tuple[int, int]] = {}
        """For each producer, the credits that it was issued, and those that it has left."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, limits)
        default = artemis.DEFAULT_WINDOW
        self._windows[destination] = Window(limits.credit or default.size, limits.credit_low or default.low)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.ACCEPTED:
            issued, left = self._held(producer)
            more = refill(self._windows[self._routes[producer][0]], left - 1)
            self._credits[producer] = issued + more, left - 1 + more
        return outcome

    def standing(self, producer: str) -> Standing:
        return Standing(super().standing(producer).stopped, *self._held(producer))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._credits.clear()

    def _held(self, producer: str) -> tuple[int, int]:
        size = self._windows[self._routes[producer][0]].size
        return self._credits.get(producer, (size, size))


def test_credit_goes_with_a_queue_gate(tmp_path: Path) -> None:
    assert contradiction(GateWithCredit.capabilities) is None
    assert not_green(report_on({"both": GateWithCredit}, tmp_path), "both") == []


class ClaimsTwoLimits(PlainQueue):
    capabilities = frozenset({"queue-gate", "amqp-credit", "address-limit"})


def test_a_run_of_what_contradicts_itself_ends_at_its_start(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"queue-gate and address-limit: .*QPID-QUEUE-1.*ARTEMIS-BLOCK-1.*claim them separately"
    ):
        run_suite({"both": ClaimsTwoLimits}, needs_of, tmp_path)
