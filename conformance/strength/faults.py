"""Every fault: mechanism, operator and trigger; a draw by its name decides whether it is held out.

The faults come in two series. The held-out faults of the first series were measured, and their names read since, so the
held-out faults are drawn from the second series alone: new operators, and old operators with new triggers.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from tidegate.adapters.base import Adapter
from tidegate.conformance.strength.broker import broken
from tidegate.conformance.strength.mechanisms import MECHANISMS, Mechanism
from tidegate.conformance.strength.operators import Operator, operators_of
from tidegate.conformance.strength.second_operators import second_operators_of
from tidegate.conformance.strength.second_triggers import SECOND_TRIGGERS
from tidegate.conformance.strength.triggers import ALWAYS, TRIGGERS, Trigger

PLAIN = 2
"""One in this many operators also makes a fault that always shows; the others only make faults with triggers."""
DIGEST_BITS = 256
MOST_DRAWN = 44
"""The percentage of combinations that are taken: more would take longer and add no kinds."""
MOST_OF_NEW_OPERATORS = 36
MOST_OF_OLD_OPERATORS = 18
"""The percentages of combinations of the second series that are taken, of new operators and of old ones."""
HELD_OUT = 5
"""One in this many faults of the second series is held out."""
SEED = "the second hold-out"
SERIES = (1, 2)


@dataclass(frozen=True)
class Fault:
    """A mechanism with one fault, under one trigger."""

    mechanism: Mechanism
    operator: Operator
    trigger: Trigger
    series: int = SERIES[0]

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
        return self.series == SERIES[1] and _drawn(f"{SEED}: {self.name}") % HELD_OUT == 0

    @property
    def draw(self) -> int:
        """The place of the fault in a sample: a number of `DIGEST_BITS` bits."""
        return _drawn(f"sample: {self.name}")

    def make(self, cls: type) -> Adapter:
        """The broken broker, made from the class of the right one."""
        return broken(cls, lambda: self.operator.make(self.trigger))


def faults(classes: Mapping[str, type]) -> Iterator[Fault]:
    """Every fault, series by series and mechanism by mechanism; `classes` are the reference adapters by their names."""
    for mechanism in MECHANISMS:
        capabilities: Collection[str] = classes[mechanism.adapter].capabilities  # type: ignore[attr-defined]
        for operator in operators_of(mechanism, capabilities):
            found = _with_triggers(mechanism, operator, capabilities, TRIGGERS)
            yield from (fault for fault in found if _is_taken(fault))
    for mechanism in MECHANISMS:
        yield from _second_series(mechanism, classes[mechanism.adapter].capabilities)  # type: ignore[attr-defined]


def _second_series(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Fault]:
    """New operators with any trigger, and old operators with new triggers."""
    for operator in second_operators_of(mechanism, capabilities):
        for fault in _with_triggers(mechanism, operator, capabilities, (*TRIGGERS, *SECOND_TRIGGERS)):
            if _is_in_share(fault, MOST_OF_NEW_OPERATORS):
                yield replace(fault, series=SERIES[1])
    for operator in operators_of(mechanism, capabilities):
        trigger = _trigger_of(mechanism, operator, capabilities, SECOND_TRIGGERS)
        if trigger is not None and _is_in_share(
            fault := Fault(mechanism, operator, trigger, SERIES[1]), MOST_OF_OLD_OPERATORS
        ):
            yield fault


def _with_triggers(
    mechanism: Mechanism, operator: Operator, capabilities: Collection[str], triggers: Iterable[Trigger]
) -> list[Fault]:
    """The fault with its drawn trigger, and for half of the operators the one that always shows."""
    trigger = _trigger_of(mechanism, operator, capabilities, triggers)
    found = [Fault(mechanism, operator, trigger)] if trigger is not None else []
    if trigger is None or _drawn(f"always: {mechanism.name}/{operator.name}") % PLAIN == 0:
        found.append(Fault(mechanism, operator, ALWAYS))
    return found


def _is_taken(fault: Fault) -> bool:
    """Whether the fault is in the drawn share, or its trigger is a condition of the sender, of which there are few."""
    is_rare = fault.trigger.kind == "sender" and fault.trigger.value != ""
    return is_rare or _is_in_share(fault, MOST_DRAWN)


def _is_in_share(fault: Fault, percent: int) -> bool:
    """Whether the fault is in the drawn share of this many per cent."""
    return fault.draw * 100 < percent << DIGEST_BITS


def _trigger_of(
    mechanism: Mechanism, operator: Operator, capabilities: Collection[str], triggers: Iterable[Trigger]
) -> Trigger | None:
    """The operator's trigger, drawn so that each trigger comes with some operators; None if none fits."""
    fit = (
        one
        for one in triggers
        if one.kind in operator.triggers
        and one.needs <= frozenset(capabilities)
        # a fault in defaults is made only if a document says that they are inherited
        and (one.value != "default" or "inherited" in mechanism.rules)
    )
    return min(fit, key=lambda one: _drawn(f"{mechanism.name}/{operator.name}/{one.name}"), default=None)


def _drawn(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)
