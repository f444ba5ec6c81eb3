"""Waits for a scenario until a state is reached, or while a state lasts."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from tidegate.adapters.base import Call, Standing, TooLate
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab.looking import Looking
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.presupposed import State
from tidegate.conformance.stopwatch import Stopwatch
from tidegate.conformance.timers import Timers

Look = TypeVar("Look")
POLL_MS = 2
MS_PER_SECOND = 1000
FIRST_JUMP_MS = 1
JUMPS_GROW_BY = 10
LONGEST_MS = 3_600_000
"""The time that a virtual clock runs while a state must last."""


class Waiting(Looking):
    """Waits by the adapter's clock, and gives the last seen state."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.expected = ""
        self.seen = ""
        self.promises: dict[State, str | None] = {}
        """The rules that promise a state here in place of the mechanism's usual rules; None: no rule promises it."""
        self._was_late = False
        self._timers = Timers(self.adapter.capabilities)
        self._stopwatch = Stopwatch(self._advance, self.adapter.parameters.clock_ms, lambda: self._clock.now_s)

    def pass_time(self, ms: int) -> None:
        """Let `ms` pass; the time since a send began to wait is counted as a whole."""
        self._was_late = self.is_late
        self.calls.append(Call("advance", (self._stopwatch.pass_time(ms),)))
        self.messages.let_pass(self._clock.time_ms)

    def pass_from_now(self, ms: int) -> None:
        """Let `ms` pass from now on, however long a send waits already: a message lives from the time it was sent."""
        self._was_late = self.is_late
        self._advance(ms)
        self.calls.append(Call("advance", (ms,)))
        self.messages.let_pass(self._clock.time_ms)

    @property
    def is_late(self) -> bool:
        """Whether a message expired in real time before the scenario let its time pass, as on a slow machine."""
        is_late_now = not self._clock.is_virtual and self.messages.expired_early(self._clock.time_ms)
        return self._was_late or is_late_now

    @property
    def waited_ms(self) -> int:
        """The time in ms for which the send that began to wait last has waited."""
        return self._stopwatch.waited_ms

    def look_was_in_time(self) -> None:
        """TooLate if the machine was too slow to look before the next timer was due."""
        if self._stopwatch.is_late:
            raise TooLate("this machine was too slow: the next event was due before the suite could look")

    def comes_to(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        """Look until the seen state is wanted or the adapter's `eventually_ms` are over; the last seen state."""
        return self._watch(look, wanted, self.adapter.parameters.eventually_ms)

    def stays(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        """Look for the adapter's `never_ms`, or until the seen state is no longer wanted; the last seen state.

        A virtual clock jumps instead, further each time, up to just before the next due timer, or for an hour.
        """
        if self._clock.is_virtual:
            return self._stays_in_jumps(look, wanted)
        return self._watch(look, lambda seen: not wanted(seen), self.adapter.parameters.never_ms)

    def rests(self, name: str, wanted: Callable[[Standing], bool]) -> Standing:
        """The standing in which a producer comes to rest: the wanted one if it is reached and lasts, else another."""
        return self.rest({name: wanted})[name]

    def wait_until_free(self, name: str) -> None:
        """Wait until the producer is free or the adapter's `eventually_ms` are over, and record its standing."""
        self._record_standing(name, self.comes_to(partial(self.standing, name), lambda seen: not seen.stopped))

    def rest(self, wanted: Mapping[str, Callable[[Standing], bool]]) -> dict[str, Standing]:
        """Wait until each of several producers rests in the wanted standing, with one wait for all."""

        def look() -> dict[str, Standing]:
            return {name: self.standing(name) for name in wanted}

        def as_wanted(seen: Mapping[str, Standing]) -> bool:
            return all(wanted[name](standing) for name, standing in seen.items())

        seen = self.comes_to(look, as_wanted)
        if as_wanted(seen):
            seen = self.stays(look, as_wanted)
        for name, standing in seen.items():
            self._record_standing(name, standing)
        return seen

    def verify(self, kept: bool, expected: str, seen: str, state: State | None = None) -> None:
        """Note the expected and the seen; raises Deviation if the rule is not kept.

        `state` is the state that is verified, if other checks begin with it.
        """
        self.expected, self.seen = expected, seen
        if not kept:
            rule = self.promises.get(state, "") if state else ""
            if rule is None:
                raise Deviation(expected, seen, is_permitted=True)
            raise Deviation(expected, seen, state=state or "", promised_by=rule or None)

    def _stays_in_jumps(self, look: Callable[[], Look], wanted: Callable[[Look], bool]) -> Look:
        seen, jump_ms, left_ms = look(), FIRST_JUMP_MS, LONGEST_MS
        while wanted(seen) and left_ms > 0 and self._clock.is_virtual:
            now_ms = self._clock.time_ms
            due_ms = self._timers.next_due_ms(now_ms, lambda name, sent: sent in self.recorder.unsettled(name))
            quiet_ms = left_ms if due_ms is None else min(left_ms, due_ms - 1 - now_ms)
            if quiet_ms <= 0:
                break
            passes_ms = min(jump_ms, quiet_ms)
            self._advance(passes_ms)
            self.calls.append(Call("advance", (passes_ms,)))
            left_ms -= passes_ms
            jump_ms *= JUMPS_GROW_BY
            seen = look()
        return seen

    def _watch(self, look: Callable[[], Look], enough: Callable[[Look], bool], limit_ms: int) -> Look:
        """Look until `enough`, or for `limit_ms` by the adapter's clock or the machine's clock; the last look."""
        began = time.monotonic()
        seen = look()
        waited, over = 0, False
        while not enough(seen) and waited < limit_ms and not over:
            self._advance(POLL_MS)
            waited += POLL_MS
            # looks take time as well; the last one begins when the time is over, not before
            over = (time.monotonic() - began) * MS_PER_SECOND >= limit_ms
            seen = look()
        return seen
