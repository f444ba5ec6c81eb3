"""A destination with producers, stepped by the model's mechanism, which decides everything."""

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from tidegate.model.mechanisms import artemis, mechanism, qpid
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.memory_limit import memory_limit
from tidegate.model.mechanisms.queue_gate import queue_gate
from tidegate.sweep.configuration import Configuration, Mechanism, resume_level


class Destination:
    """One destination, its producers by number from 0, and messages of one size in bytes, the oldest removed first."""

    def __init__(self, steps: mechanism.Mechanism[Any, Any], settings: Any, producers: int, size: int):
        self._steps = steps
        self._size = size
        self._names = [str(number) for number in range(producers)]
        self._senders: deque[str] = deque()
        """The senders of the messages that it holds, the oldest first."""
        self._state = steps.empty(settings)
        for name in self._names:
            self._state = steps.after_attach(self._state, name)

    @property
    def bytes(self) -> int:
        """The bytes that the destination holds."""
        return self._steps.level(self._state)

    @property
    def state(self) -> Hashable:
        """The state that determines everything that can happen next."""
        return mechanism.frozen_form(self._state)

    def ask(self, producer: int) -> None:
        """Request the credit that the producer's next message needs, if its client requests credit."""
        self._state = self._steps.after_request(self._state, self._names[producer], self._size)

    def may_send(self, producer: int) -> bool:
        """Whether nothing stops the producer."""
        return self._steps.may_send(self._state, self._names[producer], self._size)

    def send(self, producer: int) -> None:
        """Let a message of the producer arrive."""
        if self._steps.stores(self._state, self._size):
            self._senders.append(self._names[producer])
        self._state = self._steps.after_send(self._state, self._names[producer], self._size)

    def remove(self) -> None:
        """Remove the oldest message."""
        self._state = self._steps.after_removal(self._state, self._senders.popleft(), self._size)


def empty_destination(configuration: Configuration) -> Destination:
    """The destination that a configuration describes, empty, with its producers attached."""
    steps, settings = OF[configuration.mechanism](configuration)
    return Destination(steps, settings, configuration.producers, configuration.size)


def _queue(configuration: Configuration) -> tuple[mechanism.Mechanism[Any, Any], Any]:
    resume = resume_level(configuration)
    return QUEUE_GATE, qpid.Limits(configuration.capacity, qpid.NOT_SET if resume is None else resume)


def _amqp_address(configuration: Configuration) -> tuple[mechanism.Mechanism[Any, Any], Any]:
    assert configuration.credits is not None and configuration.credits_low is not None
    window = Window(configuration.credits, configuration.credits_low)
    return AMQP_CREDIT, AddressSettings(_blocking(configuration), window)


def _core_address(configuration: Configuration) -> tuple[mechanism.Mechanism[Any, Any], Any]:
    assert configuration.window is not None
    return CORE_WINDOW, CoreSettings(_blocking(configuration), configuration.window)


def _blocking(configuration: Configuration) -> artemis.AddressLimits:
    return artemis.AddressLimits(configuration.capacity, artemis.NO_LIMIT, blocks=True)


QUEUE_GATE, AMQP_CREDIT, CORE_WINDOW, MEMORY_LIMIT = queue_gate(), amqp_credit(), core_window(), memory_limit()

OF: Mapping[Mechanism, Callable[[Configuration], tuple[mechanism.Mechanism[Any, Any], Any]]] = {
    Mechanism.QPID_QUEUE: _queue,
    Mechanism.ARTEMIS_AMQP: _amqp_address,
    Mechanism.ARTEMIS_CORE: _core_address,
    Mechanism.CLASSIC_MEMORY: lambda configuration: (MEMORY_LIMIT, configuration.capacity),
}
"""For each mechanism, its steps, and the settings of a configuration's destination."""
