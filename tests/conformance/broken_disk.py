"""Implementations that each break a promise about a full disk."""

from dataclasses import replace

from tidegate.adapters.base import Standing
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.general_address import FurtherCauses


class StopsNobodyForAFullDisk(ArtemisReference):
    """Nothing watches the disk."""

    def fill_disk(self) -> None:
        """Notices no full disk."""


class StopsOnlyWhoWasOpenedForADestination(ArtemisReference):
    """A full disk stops no producer that names its destination with each message."""

    _anonymous: frozenset[str] = frozenset()

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        super().open_anonymous_producer(producer, connection)
        self._anonymous |= {producer}

    def _issue(self, destination: str, address: artemis.Address) -> None:
        was_full, self._is_disk_full = self._is_disk_full, self._is_disk_full and not self._anonymous
        super()._issue(destination, address)
        self._is_disk_full = was_full

    def end_scenario(self) -> None:
        super().end_scenario()
        self._anonymous = frozenset()


class StopsOnlyLatecomersForAFullDisk(ArtemisReference):
    """A full disk stops only producers that are opened while it is full."""

    _came_before: frozenset[str] = frozenset()

    def fill_disk(self) -> None:
        super().fill_disk()
        self._came_before = frozenset(self._target)

    def _issue(self, destination: str, address: artemis.Address) -> None:
        was_full, self._is_disk_full = self._is_disk_full, self._is_disk_full and not self._came_before
        super()._issue(destination, address)
        self._is_disk_full = was_full

    def end_scenario(self) -> None:
        super().end_scenario()
        self._came_before = frozenset()


class ReleasesNobodyOnceTheDiskIsFree(ArtemisReference):
    """No producer is released once there is space on the disk."""

    def free_disk(self) -> None:
        self._is_disk_full = False


class HeedsTheDiskWhereItStopsAnyway(ArtemisReference):
    """A full disk stops no producer of a destination that refuses, pages or drops messages past its limit."""

    def _causes(self, destination: str) -> FurtherCauses:
        causes = super()._causes(destination)
        stops = self._in_force[destination].policy in (None, "BLOCK")
        return causes if stops else replace(causes, ordered=False)


class ForgetsWhoIsRefusedOnceTheDiskIsFree(ArtemisReference):
    """Producers of a destination that refuses are not released once there is space on the disk."""

    def free_disk(self) -> None:
        self._is_disk_full = False
        for destination, address in self._addresses.items():
            if self._in_force[destination].policy != "FAIL":
                self._issue(destination, address)


class QuotaStopsNoAnonymousProducers(QpidReference):
    """A store that is overfull stops no producer that names its queue with each message."""

    _anonymous: frozenset[str] = frozenset()

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        super().open_anonymous_producer(producer, connection)
        self._anonymous |= {producer}

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return Standing(stopped=False) if producer in self._anonymous and self._store.blocks else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._anonymous = frozenset()


class QuotaStopsNoTransactedProducers(QpidReference):
    """A store that is overfull stops no producer that sends in transactions."""

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return Standing(stopped=False) if producer in self._uncommitted and self._store.blocks else seen


class QuotaHoldsAnonymousProducersForEver(QuotaStopsNoAnonymousProducers):
    """A producer that names its queue with each message stays stopped once a store was overfull."""

    _was_full = False

    def standing(self, producer: str) -> Standing:
        self._was_full = self._was_full or self._store.blocks
        return Standing(stopped=self._was_full and producer in self._anonymous)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._was_full = False


class LetsNobodyGoWhoWaitsForDisk(ClassicReference):
    """Waiting producers are not released if the store or temporary space has a limit."""

    _has_limit = False

    def declare_usage(self, usage: Usage) -> None:
        super().declare_usage(usage)
        self._has_limit = usage.store_bytes is not None or usage.temp_bytes is not None

    def _work_off(self) -> None:
        if not self._has_limit:
            super()._work_off()

    def end_scenario(self) -> None:
        super().end_scenario()
        self._has_limit = False
