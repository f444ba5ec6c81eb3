"""The interface of a Qpid broker for the adapter, for both generations."""

from pathlib import Path
from typing import Protocol

from tidegate.adapters.base import Depth, Limits
from tidegate.adapters.charge import Charge
from tidegate.adapters.groups import Traffic, Usage

VIRTUAL_HOST = "test"
"""The virtual host that each broker is started with, with messages in memory."""
DISK_SCALE = 6000
"""A quota is set to the figures of a scenario times this factor.

Derby takes whole pages of up to 32 KiB for a message, and up to 1 MB for itself.
"""
USER = PASSWORD = "guest"  # noqa: S105  # of a broker on loopback that ends with the run


class QpidBroker(Protocol):
    """One broker process with a virtual host, and its management, which client traffic does not delay.

    Every method except `stop` raises `AdapterError` (see `tidegate.adapters.errors`) when the broker fails to obey.
    """

    @property
    def version(self) -> str:
        """The requested version; after `start` the version that the broker reports."""

    @property
    def host(self) -> str:
        """The address of all its ports."""

    @property
    def amqp_port(self) -> int:
        """The TCP port for AMQP 0-9-1 with `USER` and `PASSWORD`."""

    @property
    def amqp10_port(self) -> int | None:
        """The TCP port for AMQP 1.0 without authentication; None for a broker without AMQP 1.0."""

    @property
    def virtual_host(self) -> str:
        """The virtual host of the queues and clients."""

    @property
    def log(self) -> Path:
        """The operational log, which exists from `start` to `stop`."""

    @property
    def has_confirms(self) -> bool:
        """Whether the broker confirms each message."""

    @property
    def answers_flow(self) -> bool:
        """Whether the broker tolerates that a client answers an order to stop, as AMQP 0-9-1 requires."""

    @property
    def get_converts(self) -> bool:
        """Whether it answers `basic.get` also with messages sent by another version of AMQP."""

    @property
    def jms_client(self) -> str:
        """The version of the JMS client that is used with it."""

    @property
    def scale(self) -> int:
        """The factor from the suite's figures to possible sizes of its messages."""

    @property
    def charge(self) -> Charge | None:
        """The broker's charge for a message; None where it has to be measured."""

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of this generation, `queue-gate` and `several-queues` among them."""

    @property
    def pid(self) -> int:
        """The process id of the broker. `Unavailable` if it does not run."""

    def start(self) -> None:
        """Fetch the broker if necessary, start it and wait until it is ready. `Unavailable` if it cannot be fetched."""

    def stop(self) -> None:
        """End the broker and remove all its files. Stopping twice is harmless."""

    def create_queue(self, queue: str, limits: Limits, *, by_priority: bool = False) -> None:
        """Create a queue with its capacity and resume level in bytes; a level that is None is not set.

        Unsupported for a queue by priority if the broker does not claim `priority-queues`.
        """

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages."""

    def depth(self, queue: str) -> Depth:
        """The content of the queue, in bytes as the broker charges them and in messages."""

    def traffic(self, queue: str) -> Traffic:
        """The counters of a queue's messages (`traffic-readable`)."""

    def shown_blocked(self, client: str, channel: int) -> bool | None:
        """Whether a channel of the client with this id is shown as blocked (`stops-shown`); None if it has none."""

    def limits_in_force(self, queue: str) -> Limits:
        """The capacity and resume level in force for the queue, as the broker names them."""

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Change the limits of a queue in use (`changed-limits`)."""

    def purge(self, queue: str) -> None:
        """Remove all messages of a queue (`purge`)."""

    def move(self, queue: str, to: str) -> None:
        """Move all messages of a queue to another one (`moves-messages`)."""

    def list_messages(self, queue: str) -> int:
        """List all messages of a queue; the result is their number (`lists-messages`)."""

    def set_quota(self, virtual_host: str, usage: Usage) -> None:
        """Switch to a new virtual host that keeps messages on disk, with this quota (`usage-limits`)."""

    def end_quota(self) -> None:
        """Delete this virtual host, if there is one, and switch back to the usual one."""

    def set_defaults(self, limits: Limits) -> None:
        """Set limits for later queues without limits of their own; None for both resets them.

        (`default-limits`.)
        """
