"""The moments at which something in a scenario falls due by time alone, if the scenario or a document gives them."""

from collections.abc import Callable, Iterable, Iterator

from tidegate.adapters.base import ProducerOptions
from tidegate.adapters.groups import Usage
from tidegate.model.mechanisms import andes
from tidegate.model.mechanisms.rate import SECOND_MS, is_limited

Waits = Callable[[str, str], bool]
"""Whether a producer's message, by its id, is still unsettled."""


class Timers:
    """Waiting sends and messages that pass at a rate, in one scenario; moments in ms of the implementation's clock."""

    def __init__(self, capabilities: Iterable[str]):
        self._documented = andes.DEFAULT_WAIT if "memory-ratio" in capabilities else None
        self._usage = Usage()
        self._waiting: dict[tuple[str, str], tuple[int, ProducerOptions]] = {}
        self._passed: list[int] = []

    def limit(self, usage: Usage) -> None:
        """Note limits on all destinations, which say when sends fail."""
        self._usage = usage

    def send_waits(self, producer: str, message_id: str, options: ProducerOptions, now_ms: int) -> None:
        """Note that a send of a client with these options begins to wait."""
        self._waiting[producer, message_id] = now_ms, options

    def passes(self, rate: int | None, now_ms: int) -> None:
        """Note that a client with this rate, if any, sent or asked for a message."""
        if rate is not None and is_limited(rate):
            self._passed.append(now_ms)

    def next_due_ms(self, now_ms: int, waits: Waits) -> int | None:
        """The first moment after now at which anything may happen by time alone; None if nothing ever does."""
        return min(self._due(now_ms, waits), default=None)

    def _due(self, now_ms: int, waits: Waits) -> Iterator[int]:
        for (producer, message_id), (began_ms, options) in self._waiting.items():
            if waits(producer, message_id):
                yield from self._of_a_send(began_ms, options, now_ms)
        if self._passed:
            # a second after each message, a send that waited for the rate has unseen begun another
            yield min((each + SECOND_MS for each in self._passed if each + SECOND_MS > now_ms), default=now_ms + 1)

    def _of_a_send(self, began_ms: int, options: ProducerOptions, now_ms: int) -> Iterator[int]:
        timeout_ms, notify_ms = options.wait_ms, options.notify_ms
        if self._documented is not None:
            timeout_ms = self._documented.timeout_ms if timeout_ms is None else timeout_ms
            notify_ms = self._documented.notify_ms if notify_ms is None else notify_ms
        for each in (timeout_ms, self._usage.fail_after_ms):
            if each is not None and began_ms + each > now_ms:
                yield began_ms + each
        if notify_ms:
            yield began_ms + ((now_ms - began_ms) // notify_ms + 1) * notify_ms
