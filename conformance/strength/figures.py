"""Faults in the configuration: a figure is off by one, left out, cut to 32 bits, or not taken over when it changes."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from tidegate.adapters.base import Limits
from tidegate.conformance.strength.broker import Behaviour, BrokenBroker
from tidegate.conformance.strength.mechanisms import Figure
from tidegate.conformance.strength.triggers import Trigger

UNSIGNED_32 = 0xFFFFFFFF
SIGNED_32 = 0x7FFFFFFF
Change = Callable[[int], int | None]
DECLARING = ("declare", "declare_topic", "change_limits", "declare_defaults")


class ChangesFigure(Behaviour):
    """A broker that uses another figure than the configured one, and reports the configured one."""

    def __init__(self, trigger: Trigger, figure: Figure, change: Change):
        super().__init__(trigger)
        self._figure = figure
        self._change = change
        self._configured: dict[str, int] = {}

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "limits_in_force":
            answer, configured = broker.right(verb, *arguments), self._configured.get(arguments[0])
            return answer if configured is None else replace(answer, **{self._figure.field: configured})
        return broker.right(verb, *(self._changed(broker, verb, arguments, value) for value in arguments))

    def forget(self) -> None:
        self._configured.clear()

    def _changed(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...], value: Any) -> Any:
        name = self._figure.field
        if type(value).__name__ != self._figure.kind or (getattr(value, name) or 0) <= 0 or not broker.holds():
            return value
        was = getattr(value, name)
        if isinstance(value, Limits) and verb in DECLARING and len(arguments) > 1:
            self._configured[arguments[0]] = was
        return replace(value, **{name: self._change(was), **self._kept(broker, value)})

    def _kept(self, broker: BrokenBroker, value: Any) -> dict[str, int]:
        """The lower level in force, to be kept if it follows from the changed upper level; empty otherwise."""
        follows = self._figure.field == "limit_bytes" and value.resume_bytes is None
        gated = "queue-gate" in broker.capabilities and broker.facts.defaults.resume_bytes is None
        return {"resume_bytes": value.limit_bytes} if follows and gated else {}


class IgnoresChange(Behaviour):
    """A broker that does not take over limits that are changed in use, and reports the changed ones."""

    def __init__(self, trigger: Trigger):
        super().__init__(trigger)
        self._configured: dict[str, Limits] = {}

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "change_limits" and broker.holds():
            self._configured[arguments[0]] = arguments[1]
            return None
        answer = broker.right(verb, *arguments)
        if verb == "limits_in_force" and arguments[0] in self._configured:
            said = self._configured[arguments[0]]
            configured = {one.name: getattr(said, one.name) for one in fields(said)}
            return replace(answer, **{name: value for name, value in configured.items() if value is not None})
        return answer

    def forget(self) -> None:
        self._configured.clear()


CHANGES: tuple[tuple[str, str, Change], ...] = (
    ("one-more", "takes the {} for one more", lambda value: value + 1),
    ("one-less", "takes the {} for one less", lambda value: value - 1),
    ("ignored", "ignores the {}", lambda value: None),
    ("unsigned-32", "keeps 32 bits of the {}", lambda value: value & UNSIGNED_32),
    ("signed-32", "keeps 31 bits of the {}", lambda value: value & SIGNED_32),
)
"""The changes of a figure: a name, words with a place for the figure, and the change."""
IN_BITS = ("unsigned-32", "signed-32")
"""The changes for levels only: other figures are never configured past 32 bits."""
