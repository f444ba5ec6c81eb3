"""The worst case: how far producers that send as fast as they may take a destination past its limit."""

from collections.abc import Hashable
from dataclasses import dataclass

from tidegate.pipeline.sweep.configuration import Configuration
from tidegate.pipeline.sweep.stepping import Destination, empty_destination


@dataclass(frozen=True)
class Worst:
    """The most bytes that the destination came to hold, and whether producers were stopped that nothing releases."""

    bytes: int
    never_released: bool


def worst_case(configuration: Configuration) -> Worst:
    """Producers send against the consumers until a state comes back, so that nothing new can come.

    The order is the worst there is: all producers take what credit they can get before anybody sends, and then
    one after the other sends for as long as it may; a message is removed only once all of them are stopped.
    """
    destination = empty_destination(configuration)
    seen: set[Hashable] = set()
    most = 0
    while destination.state not in seen:
        seen.add(destination.state)
        _all_send(destination, configuration.producers)
        most = max(most, destination.bytes)
        if not _drained_until_somebody_may_send(destination, configuration.producers):
            return Worst(most, never_released=True)
    return Worst(most, never_released=False)


def _all_send(destination: Destination, producers: int) -> None:
    for producer in range(producers):
        destination.ask(producer)
    for producer in range(producers):
        while destination.may_send(producer):
            destination.send(producer)
            destination.ask(producer)


def _drained_until_somebody_may_send(destination: Destination, producers: int) -> bool:
    """Whether somebody may send again, at the latest once nothing is left."""
    while destination.bytes > 0:
        destination.remove()
        for producer in range(producers):
            destination.ask(producer)
        if any(destination.may_send(producer) for producer in range(producers)):
            return True
    return False
