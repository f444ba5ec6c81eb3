"""A broker with a fault: an adapter around the right one, with a behaviour that decides what each verb does."""

from collections.abc import Callable, Mapping
from functools import wraps
from types import ModuleType
from typing import Any

from tidegate.adapters.base import Adapter, Depth, Standing
from tidegate.conformance.strength.facts import Facts
from tidegate.conformance.strength.own_copy import copied, put
from tidegate.conformance.strength.triggers import ALWAYS, Trigger

LOOKS = frozenset(
    {
        *("standing", "depth", "limits_in_force", "usage_in_force", "settlements", "client_state", "client_warnings"),
        *("log_lines", "buffered", "memory_used", "traffic", "start", "stop"),
        *("shown_stopped", "shown_percent"),
    }
)
"""Verbs that only look, and so change no facts."""
WHO = ("channel", "producer", "connection")
"""Parameters of rules that name a producer."""


class Behaviour:
    """The deviations of a broker; this base class has none."""

    def __init__(self, trigger: Trigger):
        self.trigger = trigger

    def puts(self, facts: Facts) -> Mapping[str, Callable[[Any], Any]]:
        """The replacement of each changed rule, by `module:function`, as a function of the rule."""
        return {}

    def call(self, broker: "BrokenBroker", verb: str, arguments: tuple[Any, ...]) -> Any:
        """The answer of a verb."""
        return broker.right(verb, *arguments)

    def forget(self) -> None:
        """Forget the state of the last scenario."""


class BrokenBroker:
    """The right adapter behind a behaviour; `broken` makes the class with its verbs."""

    def __init__(self, inner: Adapter, behaviour: Behaviour, facts: Facts):
        self.inner = inner
        self.facts = facts
        self.behaviour = behaviour
        self.identity = inner.identity
        self.capabilities = inner.capabilities
        self.parameters = inner.parameters
        self.answers_at_once = getattr(inner, "answers_at_once", False)

    def call(self, verb: str, arguments: tuple[Any, ...]) -> Any:
        """Do a verb as the broken broker does it."""
        if verb in LOOKS:
            return self.behaviour.call(self, verb, arguments)
        self.facts.asked(verb, arguments)
        if verb == "end_scenario":
            self.behaviour.forget()
        answer = self.behaviour.call(self, verb, arguments)
        self.facts.answered(verb, arguments, answer, _View(self))
        return answer

    def right(self, verb: str, *arguments: Any) -> Any:
        """Do a verb as the right broker does it."""
        return getattr(self.inner, verb)(*arguments)

    def holds(self) -> bool:
        """Whether the fault shows now."""
        return self.behaviour.trigger.holds(self.facts)


class _View:
    """The standings of producers and the levels of destinations at the broken broker."""

    def __init__(self, broker: BrokenBroker):
        self._broker = broker

    def standing(self, producer: str) -> Standing:
        standing: Standing = self._broker.behaviour.call(self._broker, "standing", (producer,))
        return standing

    def depth(self, destination: str) -> Depth:
        depth: Depth = self._broker.right("depth", destination)
        return depth


def broken(cls: type, make: Callable[[], Behaviour]) -> Adapter:
    """A broker of this class with the behaviour, and with its own copy of the rules."""
    behaviour, facts = make(), Facts()
    changes = behaviour.puts(facts)
    copy, modules = copied(cls) if changes else (cls, list[ModuleType]())
    for place, changed in changes.items():
        put(modules, place, changed)
    verbs = [name for name in dir(copy) if not name.startswith("_") and callable(getattr(copy, name))]
    members: dict[str, Any] = {verb: _verb(getattr(copy, verb)) for verb in verbs}
    if hasattr(copy, "not_claimed"):
        members["not_claimed"] = copy.not_claimed
    if "log_lines" in verbs:
        members["log_path"] = property(lambda self: self.inner.log_path)
    made: Adapter = type("Broken" + cls.__name__, (BrokenBroker,), members)(copy(), behaviour, facts)
    return made


def as_it_is(cls: type) -> Adapter:
    """The right broker of this class in the layer of broken brokers, without a fault."""
    return broken(cls, lambda: Behaviour(ALWAYS))


def _verb(right: Callable[..., Any]) -> Callable[..., Any]:
    """A verb of the adapter that first applies the fault; its calls are recorded under its own name."""

    @wraps(right)
    def verb(self: BrokenBroker, *arguments: Any) -> Any:
        return self.call(right.__name__, arguments)

    return verb
