"""A scenario's access to one implementation: its adapter, the names in it, and the recorded calls."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from tidegate.adapters.base import Adapter, AdapterError, Call, Unsupported
from tidegate.adapters.capabilities import offered
from tidegate.conformance.answers import check_answer
from tidegate.conformance.clock import Clock
from tidegate.conformance.conditions.condition import Weave
from tidegate.conformance.conditions.road import Road
from tidegate.conformance.lab.figures import Figures
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.watchdog import Watchdog

Answer = TypeVar("Answer")
Group = TypeVar("Group")
CLOSER = "1st."
"""The beginning of names for a closer pattern. It sorts before the characters of wildcards; a letter would not."""


@dataclass(frozen=True)
class Setting:
    """The setting of a scenario. Its names begin with `prefix`; without a watchdog a call may take for ever."""

    adapter: Adapter
    recorder: Recorder
    prefix: str
    watchdog: Watchdog | None
    clock: Clock
    weave: Weave


class Scene:
    """An adapter whose calls are recorded, and ended if they take too long."""

    def __init__(self, setting: Setting) -> None:
        adapter, weave = setting.adapter, setting.weave
        self.adapter = adapter
        self.recorder = setting.recorder
        self.calls: list[Call] = []
        self.left_out: list[str] = []
        """The parts of the scenario that the adapter cannot do, each with its reason."""
        self.seconds_lost = 0.0
        """The seconds spent in calls that ended without an answer."""
        self.is_broken_off = False
        """Whether a call had no answer or an invalid one: later events would be judged by a trace with a gap."""
        self.weave = weave
        """The conditions under which the scenario runs."""
        self._first_call = 0
        """The index in `calls` of the first call of the scenario itself."""
        self._aside: list[range] = []
        """The indexes in `calls` of calls that are no part of the scenario itself."""
        self._asked: tuple[str, tuple[Any, ...]] = "", ()
        """The verb that was called last, and its arguments."""
        self._prefix = setting.prefix
        self._names_begin = setting.prefix + (CLOSER if weave.road is Road.CLOSER_PATTERN else "")
        self._watchdog = setting.watchdog
        self._clock = setting.clock
        self._given_names: dict[str, str] = {}
        """The name that the implementation itself gave to a destination, by its name in the scenario."""
        self._figures = Figures(adapter.parameters.scale * weave.scale, weave.stretch)
        self.recorder.clock = setting.clock

    @property
    def own_calls(self) -> list[Call]:
        """The calls of the scenario itself, without the history of its destination."""
        if not self._aside:
            return self.calls[self._first_call :]
        aside = {number for calls in self._aside for number in calls}
        return [call for number, call in enumerate(self.calls) if number >= self._first_call and number not in aside]

    @property
    def asked(self) -> str:
        """The verb that was called last, with its arguments."""
        verb, arguments = self._asked
        return self.in_own_names(f"{verb}({', '.join(map(repr, arguments))})")

    @property
    def check(self) -> str:
        """The name of the check to which this scenario belongs."""
        return self.recorder.source.removeprefix(self._prefix)

    def full_name(self, name: str) -> str:
        """The name under which the implementation knows a destination or producer of this scenario."""
        return self._full(name)

    def in_own_names(self, text: str) -> str:
        """A text of the implementation with the scenario's own names, which are the same in every run."""
        for name, given in self._given_names.items():
            text = text.replace(given, name)
        return text.replace(self._names_begin, "").replace(self._prefix, "")

    def real(self, size: int) -> int:
        """A figure of the suite in bytes of the implementation."""
        return self._figures.real(size)

    def span(self, ms: int) -> int:
        """A time of the suite in ms of the implementation."""
        return self._figures.span(ms)

    def in_words(self, real_bytes: int) -> str:
        """A real figure as the report shows it, with the suite's own figure where they differ."""
        return self._figures.in_words(real_bytes)

    @property
    def clock_is_virtual(self) -> bool:
        """Whether the clock is virtual, so that waiting takes no real time."""
        return self._clock.is_virtual

    def before_room(self, destination: str) -> None:
        """Do what is due before the first message leaves a destination, or before its limits change."""

    def _full(self, name: str) -> str:
        return self._given_names.get(name) or f"{self._names_begin}{name}"

    def _offered(self, group: type[Group], what: str) -> Group:
        """The adapter, typed as one that offers a group of verbs; Unsupported if it does not."""
        adapter = offered(self.adapter, group)
        if adapter is None:
            raise Unsupported(f"the adapter does not offer {what}")
        return adapter

    def _call(self, verb: Callable[..., Answer], *arguments: Any) -> Answer:
        self._asked = verb.__name__, arguments
        began = time.monotonic()
        try:
            return self._calling(verb, *arguments)
        except AdapterError:
            self._break_off(began)
            raise
        except MemoryError as error:
            # a broker in memory may store whole messages, however large the figures of a condition are
            self._break_off(began)
            raise Unsupported("the implementation ran out of memory with figures as large as these") from error

    def _calling(self, verb: Callable[..., Answer], *arguments: Any) -> Answer:
        answer = self._watchdog.call(verb, *arguments) if self._watchdog else verb(*arguments)
        check_answer(verb.__name__, answer)
        self.calls.append(Call(verb.__name__, arguments, answer))
        return answer

    def _advance(self, ms: int) -> None:
        began = time.monotonic()
        try:
            self._clock.advance(ms)
        except AdapterError:
            self._break_off(began)
            raise

    def _break_off(self, began: float) -> None:
        """Note that a call has no answer or an invalid one, so that nothing after it is judged."""
        self.seconds_lost += time.monotonic() - began
        self.is_broken_off = True
