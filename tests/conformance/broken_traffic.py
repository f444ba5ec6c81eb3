"""Brokers whose management miscounts messages that came, left, are in hand or expired, each in one way."""

from collections import Counter
from dataclasses import dataclass, replace

from tests.conformance.behind import Behind
from tidegate.adapters.base import Limits
from tidegate.adapters.groups import Traffic
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference

REFERENCES = (QpidReference, Qpid942Reference, ArtemisReference, ArtemisCoreReference, ClassicReference)
"""The references whose management counts; the faults are made over them in turn."""
WENT_BACK, PURGED, GIVEN_UP, EXPIRED, IN_HAND, LEFT = "went back", "purged", "given up", "expired", "in hand", "left"
"""The events of messages."""


@dataclass(frozen=True)
class Fault:
    """A count that is wrong by `by` (1 or -1) for each message, or its bytes, to which `happened` happened."""

    figure: str
    happened: str
    by: int
    rule: str


FAULTS = {
    "CountsAgainWhatWentBack": Fault("came", WENT_BACK, 1, "GENERAL-44"),
    "TakesBackWhatExpired": Fault("came", EXPIRED, -1, "GENERAL-44"),
    "TakesBackWhatWasPurged": Fault("came", PURGED, -1, "GENERAL-44"),
    "CountsOnlyWhatIsThere": Fault("came", LEFT, -1, "GENERAL-44"),
    "MissesWhatWasGivenUp": Fault("left", GIVEN_UP, -1, "GENERAL-45"),
    "MissesWhatWasPurged": Fault("left", PURGED, -1, "GENERAL-45"),
    "CountsTwiceWhatWasGivenUp": Fault("left", GIVEN_UP, 1, "GENERAL-45"),
    "CountsTwiceWhatExpired": Fault("left", EXPIRED, 1, "GENERAL-45"),
    "MissesWhatLeft": Fault("left", LEFT, -1, "GENERAL-45"),
    "TakesWhatWentBackForGone": Fault("left", WENT_BACK, 1, "GENERAL-45"),
    "KeepsInHandWhatWentBack": Fault("in_hand", WENT_BACK, 1, "GENERAL-46"),
    "KeepsInHandWhatWasGivenUp": Fault("in_hand", GIVEN_UP, 1, "GENERAL-46"),
    "SeesNothingInHand": Fault("in_hand", IN_HAND, -1, "GENERAL-46"),
    "KeepsInHandWhatExpired": Fault("in_hand", EXPIRED, 1, "GENERAL-46"),
    "CountsEachExpiryTwice": Fault("expired", EXPIRED, 1, "GENERAL-47"),
    "CountsNoExpiry": Fault("expired", EXPIRED, -1, "GENERAL-47"),
    "TakesWhatWasPurgedForExpired": Fault("expired", PURGED, 1, "GENERAL-47"),
    "KeepsBytesInHand": Fault("in_hand_bytes", WENT_BACK, 1, "GENERAL-48"),
    "KeepsBytesOfWhatLeft": Fault("held_bytes", LEFT, 1, "GENERAL-48"),
    "KeepsBytesOfWhatExpired": Fault("held_bytes", EXPIRED, 1, "GENERAL-48"),
}


class _Miscounting(Behind):
    """A reference that notes the events of messages, and shows one count wrongly because of them."""

    fault: Fault

    def __init__(self) -> None:
        super().__init__()
        self._happened: Counter[tuple[str, str]] = Counter()

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        holders = self._storage.queues[destination].holders.values()
        self._happened[destination, WENT_BACK] += sum(holder == consumer for holder in holders)
        super().close_consumer(consumer)

    def purge(self, destination: str) -> None:
        self._happened[destination, PURGED] += len(self._storage.queues[destination].waiting)
        super().purge(destination)

    def give_up(self, consumer: str, message_id: str) -> None:
        self._happened[self._storage.destination_of(consumer), GIVEN_UP] += 1
        super().give_up(consumer, message_id)

    def recreate(self, destination: str, limits: Limits) -> None:
        super().recreate(destination, limits)
        for what in (WENT_BACK, PURGED, GIVEN_UP):
            del self._happened[destination, what]

    def traffic(self, destination: str) -> Traffic:
        right = super().traffic(destination)
        shown = {EXPIRED: right.expired, IN_HAND: right.in_hand, LEFT: right.left}
        happened = shown.get(self.fault.happened, self._happened[destination, self.fault.happened]) or 0
        return replace(right, **{self.fault.figure: getattr(right, self.fault.figure) + self.fault.by * happened})

    def end_scenario(self) -> None:
        self._happened.clear()
        super().end_scenario()


def _broken(name: str, fault: Fault, over: type) -> type:
    """The reference with this fault. Processes that run the class find it in this module by its name."""
    return type(name, (_Miscounting, over), {"__module__": __name__, "__doc__": f"{fault}", "fault": fault})


TRAFFIC: dict[type, tuple[str, ...]] = {
    _broken(name, fault, _over): (fault.rule,)
    for number, (name, fault) in enumerate(FAULTS.items())
    if (_over := REFERENCES[number % len(REFERENCES)])
}
"""The rule that each of these brokers breaks."""
globals().update({cls.__name__: cls for cls in TRAFFIC})
