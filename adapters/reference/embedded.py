"""The base of every profile of the reference: a broker that consists of the model only, in this process."""

from abc import ABC, abstractmethod
from typing import ClassVar

from tidegate.adapters.reference.storage import Storage


class Embedded(ABC):
    """A broker over a store of messages, without a process of its own."""

    answers_at_once: ClassVar[bool] = True
    """Whether no verb waits or loops without end: the suite then needs no watchdog. Subclasses may set False."""

    def __init__(self) -> None:
        self._storage = Storage()

    def start(self) -> None:
        """Begin with nothing, as after a scenario."""
        self.end_scenario()

    def stop(self) -> None:
        self.end_scenario()

    @abstractmethod
    def end_scenario(self) -> None:
        """Forget everything."""
