"""Faults in the rules that step a broker: the charge of a message, the bytes it frees, and who may go on."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tidegate.conformance.strength.broker import WHO, Behaviour
from tidegate.conformance.strength.facts import Facts, Producer
from tidegate.conformance.strength.figures import SIGNED_32
from tidegate.conformance.strength.mechanisms import Decision
from tidegate.conformance.strength.triggers import Trigger


class ChangesSize(Behaviour):
    """A broker that charges or frees a wrong number of bytes, in all verbs or in one."""

    def __init__(self, trigger: Trigger, place: tuple[str, str], change: Callable[[int], int], verb: str = ""):
        super().__init__(trigger)
        self._place, self._parameter = place
        self._change = change
        self._verb = verb

    def puts(self, facts: Facts) -> Mapping[str, Callable[[Any], Any]]:
        def changed(original: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(original)

            def wrapped(*given: Any) -> Any:
                bound = signature.bind(*given)
                size = bound.arguments[self._parameter]
                with _about(facts, bound.arguments):
                    if size > 0 and self._verb in ("", facts.verb) and self.trigger.holds(facts):
                        bound.arguments[self._parameter] = self._change(size)
                return original(*bound.args)

            return wrapped

        return {self._place: changed}


class DecidesOtherwise(Behaviour):
    """A broker that lets producers go on, or holds them back, if `when` is true of them."""

    def __init__(
        self, trigger: Trigger, decision: Decision, answer: Callable[..., Any], when: Callable[[Facts, Producer], bool]
    ):
        super().__init__(trigger)
        self._decision = decision
        self._answer = answer
        self._when = when

    def puts(self, facts: Facts) -> Mapping[str, Callable[[Any], Any]]:
        def changed(original: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(original)

            def wrapped(*given: Any) -> Any:
                with _about(facts, signature.bind(*given).arguments):
                    producer = facts.producer
                    otherwise = producer is not None and self._when(facts, producer) and self.trigger.holds(facts)
                return self._answer(*given) if otherwise else original(*given)

            return wrapped

        return {self._decision.place: changed}


@contextmanager
def _about(facts: Facts, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Make the facts about the producer that the arguments name, if any, until the block ends."""
    before = facts.producer, facts.destination
    for name in (*WHO, "sender"):
        if isinstance(arguments.get(name), str):
            facts.focus(arguments[name])
    try:
        yield
    finally:
        facts.producer, facts.destination = before


CHARGES: tuple[tuple[str, str, Callable[[int], int], bool], ...] = (
    ("counted-twice", "counts messages twice", lambda size: 2 * size, False),
    ("not-counted", "does not count messages", lambda size: 0, True),
    ("counted-with-one-more", "counts a byte too much for messages", lambda size: size + 1, False),
    ("counted-in-31-bits", "counts 31 bits of the size of messages", lambda size: size & SIGNED_32, True),
)
"""The changes of a charge: a name, words, the change, and whether it lowers the charge."""
FREES: tuple[tuple[str, str, Callable[[int], int]], ...] = (
    ("not-freed", "gives nothing back for messages that leave", lambda size: 0),
    ("freed-with-one-less", "gives a byte too little back for messages that leave", lambda size: size - 1),
    ("freed-twice", "gives the bytes of messages that leave back twice", lambda size: 2 * size),
)
