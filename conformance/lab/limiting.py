"""Configures the limits of destinations, and tells which producers may be stopped and which have room."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tidegate.adapters.base import Depth, Limits, ProducerOptions
from tidegate.adapters.groups import (
    ChangesLimits,
    ChangesLimitsByPattern,
    ChangesUsage,
    OrdersByPriority,
    RestartsBroker,
    SetsDefaultLimits,
    SetsLimitsByPattern,
    SetsUsage,
    SharesLimits,
    Usage,
)
from tidegate.conformance.conditions.road import Road
from tidegate.conformance.lab.clients import Clients
from tidegate.conformance.lab.figures import Figures
from tidegate.conformance.lab.scene import Setting

Verb = Callable[..., None]
"""A verb that declares a destination with limits and further arguments."""
BLOCK = "BLOCK"
"""The policy that stops producers."""
FAR_AWAY = 2**50
"""A limit on all destinations, in real bytes, that no scenario reaches."""


class Limiting(Clients):
    """Configures and remembers limits, and tells from them which producers have room."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._defaults = Limits()
        self._limits: dict[str, Limits] = {}
        """The configured limits of each destination in real bytes, by full name."""
        self._inheriting: set[str] = set()
        """The destinations without levels of their own, although there are limits by default."""
        self._asked_for: dict[str, Limits] = {}
        """The limits of each destination in figures of the suite."""
        self.limits_are_shared = False
        """Whether the scenario configured limits that all destinations share."""
        self._has_quota = False
        self._keeps_data = self._orders_by_priority = False
        self._has_room_for_all = False
        self._to_come: dict[str, Limits] = {}
        """The limits to which each destination changes before its first message, by its name."""

    def declare_usage(self, usage: Usage) -> None:
        """Declare limits that all destinations of this scenario share."""
        self._has_room_for_all = True
        self._prepare()
        parameters = self.adapter.parameters
        if usage.quota_bytes is not None:
            self._figures = Figures((parameters.disk_scale or parameters.scale) * self.weave.scale, self.weave.stretch)
        shared = ("memory_bytes", "store_bytes", "temp_bytes", "quota_bytes", "quota_resume_bytes")
        levels: dict[str, Any] = {level: self._figures.level(getattr(usage, level)) for level in shared}
        scaled = self._with_times(replace(usage, **levels))
        further = {level: far for level, far in self._far_limits().items() if levels[level] is None}
        adapter = self._offered(SetsUsage, "limits that all destinations share")
        self._call(adapter.declare_usage, replace(scaled, **further))
        self.limits_are_shared = True
        self._has_quota = usage.quota_bytes is not None
        self._timers.limit(scaled)
        self.recorder.shared_limits(scaled, self.adapter.capabilities)

    def change_usage(self, usage: Usage) -> None:
        """Change the limits that all destinations of this scenario share; a limit of None stays as it is."""
        for destination in self.destinations:
            self.before_room(destination)
        shared = ("memory_bytes", "store_bytes", "temp_bytes")
        levels: dict[str, Any] = {level: self._figures.level(getattr(usage, level)) for level in shared}
        adapter = self._offered(ChangesUsage, "to change limits that all destinations share")
        self._call(adapter.change_usage, self._with_times(replace(usage, **levels)))
        for destination in self.destinations:
            self._level_after(destination, "limits")

    def _with_times(self, usage: Usage) -> Usage:
        """The shared limits with their time in ms of the implementation."""
        ms = usage.fail_after_ms
        return usage if ms is None else replace(usage, fail_after_ms=self.span(ms))

    def declare_defaults(self, limits: Limits) -> None:
        """Declare limits for every destination that is declared from now on without limits of its own."""
        self._prepare()
        self._defaults = self._figures.limits(limits)
        self._call(self._offered(SetsDefaultLimits, "limits for all destinations").declare_defaults, self._defaults)

    def inherit_defaults(self, name: str) -> None:
        """Note that a destination that will be declared without levels has those by default, also in its history."""
        self._inheriting.add(name)

    def declare_shared(self, limits: Limits) -> None:
        """Declare limits on all destinations together, before any destination is declared."""
        self._has_room_for_all = True
        adapter = self._offered(SharesLimits, "limits of all destinations")
        self._call(adapter.declare_shared, self._figures.limits(limits))

    def limits_of(self, destination: str) -> Limits:
        """The limits that were last configured for a destination, or are to come, in figures of the suite."""
        return self._to_come.get(destination, self._asked_for[destination])

    def policy_of(self, destination: str) -> str:
        """The policy in force at a destination, by whatever road its limits were configured."""
        return self._in_force(destination).policy or BLOCK

    def levels_of(self, destination: str) -> tuple[int, int] | None:
        """The capacity and the resume level of a queue in real bytes; None unless the capacity is its only limit."""
        limits = self._in_force(destination)
        capacity, has_message_limit = limits.limit_bytes, (limits.limit_messages or 0) > 0
        if self.policy_of(destination) != BLOCK or capacity is None or capacity <= 0 or has_message_limit:
            return None
        return capacity, capacity if limits.resume_bytes is None else limits.resume_bytes

    def _in_force(self, destination: str) -> Limits:
        """The limits of a destination in real bytes, each by default where the destination has none of its own."""
        own = self._limits[self._full(destination)]
        return replace(self._defaults, **{name: set_to for name, set_to in vars(own).items() if set_to is not None})

    def may_stop(self, destination: str) -> bool:
        """Whether a configured limit can stop the producers of a destination."""
        if "memory-ratio" in self.adapter.capabilities:
            return self.limits_are_shared  # no limit of a single destination stops anybody there
        own = self._limits.get(self._full(destination), Limits())
        levels = (each.limit_bytes if each.limit_bytes is not None else self._defaults.limit_bytes for each in (own,))
        is_limited = any((level or 0) > 0 for level in (*levels, own.limit_messages))
        return (is_limited or self.limits_are_shared) and own.policy in (None, BLOCK)

    def charged(self, options: ProducerOptions) -> ProducerOptions:
        """The options of a producer whose messages count against a disk quota, if there is one: persistent messages.

        A history must not fill a store with a limit (`store_bytes`): a journal gives space back in whole files and
        late, and no document promises that the store is empty once all was consumed.
        """
        return replace(options, persistent=True) if self._has_quota else options

    def has_room(self, name: str, size: int) -> bool:
        """Whether each destination of a producer stays below its limits with one more message of `size` bytes."""
        targets = (self._full(self._anonymous[name]),) if name in self._anonymous else self.producers[name]
        return not self.limits_are_shared and all(
            _is_below(self._limits.get(target), self._depth(target), self.real(size)) for target in targets
        )

    def is_full(self, name: str, size: int = 1) -> bool:
        """Whether some destination of a producer has no room for `size` bytes by its own limits."""
        return not self.limits_are_shared and not self.has_room(name, size)

    def _declare(self, verb: Verb, name: str, limits: Limits, in_force: Limits | None = None, *further: object) -> None:
        """Declare or change a destination; `in_force` are its limits if they were configured by another road."""
        own = self._figures.limits(limits)
        self._asked_for[name] = limits
        if name not in self.destinations:
            self.destinations.append(name)
        self._call(verb, self._full(name), own, *further)
        self._remember(name, own if in_force is None else self._figures.limits(in_force))

    def _remember(self, name: str, real: Limits) -> None:
        """Remember and record the limits that are in force at a destination from now on, in real bytes."""
        if name in self._inheriting:
            real = replace(self._defaults, credit=real.credit, credit_low=real.credit_low)
        self._limits[self._full(name)] = real
        self.recorder.limits(self._full(name), real, self._defaults, self.adapter.capabilities)

    def change_limits(self, name: str, limits: Limits) -> None:
        """Change the limits of a destination in use."""
        self.before_room(name)
        self._to_come.pop(name, None)
        self._declare(self._offered(ChangesLimits, "to change limits").change_limits, name, limits)
        self._level_after(name, "limits")

    def change_pattern(self, name: str, limits: Limits) -> None:
        """Change the limits of the pattern from which a destination in use has its limits."""
        self.before_room(name)
        adapter = self._offered(ChangesLimitsByPattern, "to change the limits of a pattern")
        self._asked_for[name] = limits
        of_pattern = replace(limits, credit=None, credit_low=None)
        self._call(adapter.change_pattern, self._prefix, self._figures.limits(of_pattern))
        self._remember(name, self._figures.limits(limits))
        self._level_after(name, "limits")

    def declare_pattern_outside(self, limits: Limits) -> None:
        """Configure limits for a pattern that every destination of the scenario matches, whatever its own limits."""
        self._prepare()
        adapter = self._offered(SetsLimitsByPattern, "limits for a pattern")
        self._call(adapter.declare_pattern, self._prefix, self._figures.limits(limits))

    def change_pattern_outside(self, limits: Limits) -> None:
        """Change the limits of that pattern; those of destinations with their own limits stay in force."""
        adapter = self._offered(ChangesLimitsByPattern, "to change the limits of a pattern")
        self._call(adapter.change_pattern, self._prefix, self._figures.limits(limits))
        for destination in self.destinations:
            self._level_after(destination, "limits")

    def change_before_first_message(self, *targets: str) -> None:
        """Change the limits of destinations, given by full name, as the weave asks; their producers are attached."""
        change = self.change_pattern if self.weave.road is Road.PATTERN else self.change_limits
        for name in [name for name in self._to_come if self._full(name) in targets]:
            change(name, self._to_come.pop(name))

    def keep_data(self) -> None:
        """Have the broker keep its data on disk, from now on."""
        self._keeps_data = True
        self._call(self._offered(RestartsBroker, "to start the broker again").keep_data)

    def _prepare(self) -> None:
        """Do what comes before anything is declared."""
        if self.weave.keeps_data and not self._keeps_data:
            self.keep_data()
        if self.weave.by_priority and not self._orders_by_priority:
            self._orders_by_priority = True
            self._call(self._offered(OrdersByPriority, "queues by priority").order_by_priority)
        if self._has_room_for_all:
            return
        self._has_room_for_all = True
        if far := self._far_limits():
            adapter = self._offered(SetsUsage, "limits that all destinations share")
            self._call(adapter.declare_usage, Usage(**far))

    def _far_limits(self) -> dict[str, Any]:
        """Limits on all destinations that leave room for great figures, where the limits by default would not."""
        needed = {
            "memory_bytes": {"memory-limit"},
            "store_bytes": {"memory-limit", "persistent-messages"},
            "temp_bytes": {"memory-limit", "file-cursor"},
        }
        if self.weave.scale == 1 or "usage-limits" not in self.adapter.capabilities:
            return {}
        return {level: FAR_AWAY for level, its in needed.items() if its <= self.adapter.capabilities}


def _is_below(limits: Limits | None, held: Depth, size_bytes: int) -> bool:
    """Whether a destination is below each of these limits after one more message of `size_bytes`.

    A level from which messages are rejected does not count the message itself."""
    configured = limits or Limits()
    levels = (configured.limit_bytes, held.bytes + size_bytes), (configured.limit_messages, held.messages + 1)
    rejects_from = configured.reject_bytes
    is_rejected = rejects_from is not None and 0 <= rejects_from <= held.bytes
    return not is_rejected and all(limit is None or limit <= 0 or level < limit for limit, level in levels)
