"""The Qpid Java broker 6.0 and 6.1: started and managed as Broker-J, with levels of a queue that are both in bytes."""

from typing import Any

from tidegate.adapters.base import Depth, Limits, Unsupported
from tidegate.adapters.charge import Charge
from tidegate.adapters.groups import Traffic
from tidegate.adapters.qpid.broker_j import COUNTED_IN_6, BrokerJ
from tidegate.adapters.qpid.old_charge import BODY_ONLY

CAPACITY = "queueFlowControlSizeBytes"
RESUME = "queueFlowResumeSizeBytes"
DEPTH = ("queueDepthBytes", "queueDepthMessages")


class Broker6(BrokerJ):
    """Its queues have no other policy than to stop producers, and no capacity is 0."""

    scale = 1
    """A message can have any size from one byte on."""
    charge: Charge | None = BODY_ONLY
    capabilities = BrokerJ.capabilities - {
        *("several-protocols", "message-limit", "refusing-policy", "dropping-policy"),
        *("browsed-messages", "filtering-consumers", "counts-expired", "stops-shown", "full-disk"),
    }
    """Messages sent by AMQP 1.0 are charged for more than their body, so they cannot have every size."""

    def depth(self, queue: str) -> Depth:
        """The broker's statistics of the queue."""
        statistics = self._managed.get(*self._queue(queue))["statistics"]
        return Depth(*(int(statistics[name]) for name in DEPTH))

    def traffic(self, queue: str) -> Traffic:
        """The broker's statistics of the queue, which do not count expired messages."""
        statistics = self._managed.get(*self._queue(queue))["statistics"]
        return Traffic(**{field: int(statistics[name]) for field, name in COUNTED_IN_6.items()})

    def limits_in_force(self, queue: str) -> Limits:
        """The levels in management, with the inherited levels of the queue."""
        seen = self._managed.get(*self._queue(queue))
        return Limits(limit_bytes=int(seen[CAPACITY]), resume_bytes=int(seen[RESUME]))

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Change the limits of a queue in use; a level that is None gets the broker's default."""
        self._managed.put(*self._queue(queue), attributes={CAPACITY: None, RESUME: None} | attributes_of(limits))

    def set_defaults(self, limits: Limits) -> None:
        """Set the context of the virtual host, the source of its queues' defaults."""
        host = self.virtual_host
        self._managed.put("virtualhost", host, host, attributes={"context": context_of_defaults(limits)})

    def _attributes(self, limits: Limits) -> dict[str, Any]:
        return attributes_of(limits)


def attributes_of(limits: Limits) -> dict[str, Any]:
    """The attributes of a queue for these limits, none for a limit that is None.

    `Unsupported` for a resume level above the capacity, which the broker refuses.
    """
    if limits.limit_bytes is not None and limits.resume_bytes is not None and limits.resume_bytes > limits.limit_bytes:
        raise Unsupported(
            f"a resume level of {limits.resume_bytes} bytes is above the capacity of {limits.limit_bytes}"
        )
    levels = {CAPACITY: limits.limit_bytes, RESUME: limits.resume_bytes}
    return {name: level for name, level in levels.items() if level is not None}


def context_of_defaults(limits: Limits) -> dict[str, str]:
    """The context of a virtual host, with these limits for queues without limits of their own."""
    return {f"queue.{name}": str(level) for name, level in attributes_of(limits).items()}
