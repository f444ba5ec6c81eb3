"""The neighbour: a producer that another destination stops before the scenario, and that stays stopped throughout.

Nobody consumes at that destination until the end. Then its messages are consumed, and the neighbour must be free.
"""

from collections.abc import Callable
from typing import Any

from tidegate.adapters.base import Adapter, Limits, Outcome
from tidegate.conformance.findings import Deviation

NAME = "neighbour"
ELSEWHERE = "neighbour's destination"
MOST = 300
"""More messages than a producer may send before a small destination stops it."""
STAYS_STOPPED, DELIVERED, RELEASED, IN_ORDER = "GENERAL-20", "GENERAL-2", "GENERAL-3", "GENERAL-52"
"""The rules that a full destination stops its producer, that messages come once, that room releases a producer, and
that the messages of one producer keep their order."""
TAKEN = (Outcome.ACCEPTED, Outcome.SENT)

Caller = Callable[..., Any]
"""Calls a verb of the adapter in the way of the lab."""


class Neighbour:
    """Fills another destination, looks whether its producer is stopped each time the lab looks, and empties it."""

    def __init__(self, adapter: Adapter, call: Caller, prefix: str, *, in_order: bool):
        self._adapter = adapter
        self._in_order = in_order
        """Whether messages must come in the order in which they were sent."""
        self._call = call
        self._name, self._elsewhere = prefix + NAME, prefix + ELSEWHERE
        self._accepted: list[str] = []
        self._waiting = ""
        """The message that was not taken at once; it may be stored once there is room."""
        self._looks = 0
        self._free_at = 0
        """The number of the look at which it was first seen free; 0 if it never was."""
        self.is_there = False

    def attach(self, limits: Limits, size: int) -> None:
        """Declare the destination with these real limits, and send messages of `size` real bytes until it is full.

        Raises Deviation if that stops nobody.
        """
        self._call(self._adapter.declare, self._elsewhere, limits)
        self._call(self._adapter.open_producer, self._name, self._name, (self._elsewhere,))
        while len(self._accepted) < MOST and not self._waiting and not self._is_stopped():
            message_id = f"{self._name}'s message {len(self._accepted) + 1}"
            if self._call(self._adapter.send, self._name, message_id, size) in TAKEN:
                self._accepted.append(message_id)
            else:
                self._waiting = message_id
        if not self._is_stopped():
            raise Deviation("a full destination elsewhere, and its producer stopped", "it is free",
                            promised_by=STAYS_STOPPED)  # fmt: skip
        self.is_there = True

    def look(self) -> None:
        """Note whether the neighbour is free now."""
        if self.is_there:
            self._looks += 1
            if not self._free_at and not self._is_stopped():
                self._free_at = self._looks

    def judge(self, comes_to: Callable[[Callable[[], bool], Callable[[bool], bool]], bool]) -> None:
        """Consume its messages. Raises Deviation if it was free before, or is not now, or if messages are missing.

        `comes_to` looks until the seen state is wanted, and gives the last one.
        """
        if not self.is_there:
            return
        if self._free_at:
            seen = f"free at look {self._free_at} of {self._looks}"
            raise Deviation("a producer of a full destination elsewhere stopped all the time", seen,
                            rules=(STAYS_STOPPED,))  # fmt: skip
        self._call(self._adapter.open_consumer, f"{self._name}'s consumer", f"{self._name}'s consumer", self._elsewhere)
        delivered: list[str] = []

        def all_came_and_it_is_free() -> bool:
            delivered.extend(self._consume())
            return set(self._accepted) <= set(delivered) and not self._is_stopped()

        came = comes_to(all_came_and_it_is_free, bool)
        told = [each for each in delivered if each != self._waiting]
        if sorted(told) != sorted(self._accepted):
            expected = f"each of {len(self._accepted)} messages of a destination elsewhere delivered once"
            raise Deviation(expected, f"{len(told)} deliveries of {len(set(told))} messages", rules=(DELIVERED,))
        if self._in_order and told != self._accepted:
            overtaken = next(sent for sent, came in zip(self._accepted, told, strict=True) if sent != came)
            raise Deviation("the messages of a destination elsewhere in the order in which they were sent",
                            f"another message in the place of {overtaken}", rules=(IN_ORDER,))  # fmt: skip
        if not came:
            raise Deviation("a producer elsewhere free once all was consumed there", "it is stopped",
                            rules=(RELEASED,))  # fmt: skip

    def _consume(self) -> list[str]:
        found: list[str] = []
        while (delivery := self._call(self._adapter.take, f"{self._name}'s consumer")) is not None:
            self._call(self._adapter.acknowledge, f"{self._name}'s consumer", delivery.message_id)
            found.append(delivery.message_id)
        return found

    def _is_stopped(self) -> bool:
        stopped: bool = self._call(self._adapter.standing, self._name).stopped
        return stopped
