"""Every fault: mechanism, operator and trigger; a draw by its name decides whether it is held out."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from tidegate.adapters.base import Adapter
from tidegate.conformance.strength.broker import broken
from tidegate.conformance.strength.mechanisms import MECHANISMS, Mechanism
from tidegate.conformance.strength.operators import Operator, operators_of
from tidegate.conformance.strength.triggers import ALWAYS, TRIGGERS, Trigger

PLAIN = 2
"""One in this many operators also makes a fault that always shows; the others only make faults with triggers."""
DIGEST_BITS = 256
MOST_DRAWN = 44
"""The percentage of combinations that are taken: more would take longer and add no kinds."""
HELD_OUT = 5
"""One in this many faults is held out."""


@dataclass(frozen=True)
class Fault:
    """A mechanism with one fault, under one trigger."""

    mechanism: Mechanism
    operator: Operator
    trigger: Trigger

    @property
    def name(self) -> str:
        """A stable name such as `queue-gate/starves-third/topic`."""
        return f"{self.mechanism.name}/{self.operator.name}/{self.trigger.name}"

    @property
    def words(self) -> str:
        """The fault in one sentence about the broker."""
        return f"The broker {' '.join(filter(None, (self.operator.words, self.trigger.words)))}."

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules whose own sentence the fault contradicts, the most direct first."""
        inherited = self.mechanism.rules.get("inherited", ()) if self.trigger.value == "default" else ()
        return tuple(dict.fromkeys((*self.operator.rules, *inherited, *self.trigger.rules)))

    @property
    def is_held_out(self) -> bool:
        """Whether the fault is left out of all work on the suite."""
        return _drawn(f"held out: {self.name}") % HELD_OUT == 0

    @property
    def draw(self) -> int:
        """The place of the fault in a sample: a number of `DIGEST_BITS` bits."""
        return _drawn(f"sample: {self.name}")

    def make(self, cls: type) -> Adapter:
        """The broken broker, made from the class of the right one."""
        return broken(cls, lambda: self.operator.make(self.trigger))


def faults(classes: Mapping[str, type]) -> Iterator[Fault]:
    """Every fault, mechanism by mechanism; `classes` are the reference adapters by their names."""
    for mechanism in MECHANISMS:
        capabilities: Collection[str] = classes[mechanism.adapter].capabilities  # type: ignore[attr-defined]
        for operator in operators_of(mechanism, capabilities):
            trigger = _trigger_of(mechanism, operator, capabilities)
            found = [Fault(mechanism, operator, trigger)] if trigger is not None else []
            if trigger is None or _drawn(f"always: {mechanism.name}/{operator.name}") % PLAIN == 0:
                found.append(Fault(mechanism, operator, ALWAYS))
            yield from (fault for fault in found if _is_taken(fault))


def _is_taken(fault: Fault) -> bool:
    """Whether the fault is in the drawn share, or its trigger is a condition of the sender, of which there are few."""
    is_rare = fault.trigger.kind == "sender" and fault.trigger.value != ""
    return is_rare or fault.draw * 100 < MOST_DRAWN << DIGEST_BITS


def _trigger_of(mechanism: Mechanism, operator: Operator, capabilities: Collection[str]) -> Trigger | None:
    """The operator's trigger, drawn so that each trigger comes with some operators; None if none fits."""
    fit = (
        one
        for one in TRIGGERS
        if one.kind in operator.triggers
        and one.needs <= frozenset(capabilities)
        # a fault in defaults is made only if a document says that they are inherited
        and (one.value != "default" or "inherited" in mechanism.rules)
    )
    return min(fit, key=lambda one: _drawn(f"{mechanism.name}/{operator.name}/{one.name}"), default=None)


def _drawn(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)
