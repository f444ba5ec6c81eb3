"""Gives an adapter the verbs of every group of the contract, each of which asks the program."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

from tidegate.adapters.stdio.driver import Driver
from tidegate.adapters.stdio.verbs import VERBS


class Driving(Protocol):
    """An object with the driver of a program."""

    driver: Driver


AnyDriving = TypeVar("AnyDriving", bound=Driving)


def with_group_verbs(cls: type[AnyDriving]) -> type[AnyDriving]:
    """The class, with those verbs of the groups added that it does not define itself."""
    for verb in VERBS.values():
        if verb.capabilities and not hasattr(cls, verb.name):
            setattr(cls, verb.name, _asking(verb.method))
    return cls


def _asking(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def ask(self: Driving, *arguments: Any, **named: Any) -> Any:
        return self.driver.ask(method, *arguments, **named)

    return ask
