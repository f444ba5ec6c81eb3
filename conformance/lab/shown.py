"""Looks at what management shows of producers and limits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Standing
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import ShowsStops, ShowsUsage
from tidegate.conformance.lab.limiting import Limiting
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.waiting import Look
from tidegate.model.mechanisms.general_shown import is_shown_rightly

MOST_DESTINATIONS = 20
"""With more destinations, a look at each of them in every rest would take long."""


@dataclass(frozen=True)
class ShownUse:
    """The percentage of a limit that management shows as used, with the charged bytes and the limit in bytes."""

    percent: int
    used: int
    limit: int


class Shown(Limiting):
    """Looks at what management shows, and records it."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._stayed_wrong = False
        """Whether what management shows stayed wrong in this scenario; later looks are then not repeated."""

    def shown_stopped(self, name: str) -> bool | None:
        """Whether management shows a producer as stopped; AdapterError if the adapter cannot ask."""
        return self._call(self._offered(ShowsStops, "how producers are shown").shown_stopped, self._full(name))

    @property
    def compared(self) -> tuple[str, ...]:
        """The producers whose standing can be compared with the one that management shows."""
        return tuple(name for name in self.in_sight if self._is_shown(name))

    def shown_percent(self, destination: str) -> int | None:
        """The percentage of a limit that management shows as used; AdapterError if the adapter cannot ask."""
        adapter = self._offered(ShowsUsage, "the used percentage of a limit")
        return self._call(adapter.shown_percent, self._full(destination))

    def rest(self, wanted: Mapping[str, Callable[[Standing], bool]]) -> dict[str, Standing]:
        """The standings of several producers at rest. If all are as wanted, what management shows is recorded."""
        seen = super().rest(wanted)
        if all(wanted[name](standing) for name, standing in seen.items()):
            self._record_shown_of(seen)
        return seen

    def change_limits(self, name: str, limits: Limits) -> None:
        """Change the limits of a destination in use, and record the percentage that management then shows."""
        super().change_limits(name, limits)
        if name in self._shown_destinations:
            self._record_usage(name)

    def look_at_shown(self) -> None:
        """Record what management shows of each producer and each limit of the scenario."""
        self._record_shown_of(self.compared)

    def limit_bytes_of(self, destination: str) -> int:
        """The limit in bytes that the documents say is in force for a destination, in real bytes; -1 for none."""
        limit = self._in_force(destination).limit_bytes
        return -1 if limit is None or limit <= 0 else limit

    @property
    def _shown_destinations(self) -> list[str]:
        """The destinations whose use is looked at; none if there are more than `MOST_DESTINATIONS`."""
        shown = offered(self.adapter, ShowsUsage) is not None and len(self.destinations) <= MOST_DESTINATIONS
        return list(self.destinations) if shown else []

    def _record_shown_of(self, names: Iterable[str]) -> None:
        """Record what management shows of producers and of each limit, once it is right or has stayed wrong.

        Management may lag behind the broker, so a wrong look is repeated for a while.
        """
        for name in filter(self._is_shown, names):
            _, shown = self._comes_to_be_right(partial(self._look_at_producer, name), _agree)
            if shown is not None:
                self.recorder.shown_standing(self._full(name), stopped=shown)
        for destination in self._shown_destinations:
            self._record_usage(destination)

    def _record_usage(self, destination: str) -> None:
        usage = self._comes_to_be_right(partial(self._look_at_usage, destination), _is_right)
        if usage is not None:
            self.recorder.shown_usage(self._full(destination), usage.percent, usage.used, usage.limit)

    def _look_at_usage(self, destination: str) -> ShownUse | None:
        """The shown percentage with the charged bytes; None without a limit, or where management shows none."""
        full, limit = self._full(destination), self.limit_bytes_of(destination)
        if limit < 0 or full in self._bound:
            return None
        percent = self.shown_percent(destination)
        return None if percent is None else ShownUse(percent, self._depth(full).bytes, limit)

    def _look_at_producer(self, name: str) -> tuple[Standing, bool | None]:
        return self.standing(name), self.shown_stopped(name)

    def _comes_to_be_right(self, look: Callable[[], Look], is_right: Callable[[Look], bool]) -> Look:
        seen = look()
        if not is_right(seen) and not self._stayed_wrong:
            seen = self.comes_to(look, is_right)
            self._stayed_wrong = not is_right(seen)
        return seen

    def _is_shown(self, name: str) -> bool:
        """Whether a producer can be compared with what management shows.

        A producer that does not wait for each answer may go on while the broker holds back its message.
        """
        options = self._options.get(name, DEFAULT_OPTIONS)
        return (
            offered(self.adapter, ShowsStops) is not None
            and bool(self.producers.get(name))
            and self.waits_for_each_answer(name)
            and options.obeys
            and not self.is_transacted(name)
        )


def _agree(seen: tuple[Standing, bool | None]) -> bool:
    standing, shown = seen
    return shown is None or shown == standing.stopped


def _is_right(usage: ShownUse | None) -> bool:
    return usage is None or is_shown_rightly(usage.percent, usage.used, usage.limit)
