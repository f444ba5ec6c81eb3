"""What the adapter needs of a Qpid broker, whichever generation it is of."""

from pathlib import Path
from typing import Protocol

from tidegate.adapters.base import Depth, Limits
from tidegate.adapters.charge import Charge
from tidegate.adapters.groups import Traffic, Usage

VIRTUAL_HOST = "test"
"""The one virtual host that each broker is started with, with messages in memory."""
DISK_SCALE = 6000
"""A quota is set to the figures of a scenario times this factor.

Derby takes whole pages of up to 32 KiB for a message, and up to 1 MB for itself.
"""
USER = PASSWORD = "guest"  # noqa: S105  # of a broker on loopback that ends with the run


class QpidBroker(Protocol):
    """One broker process with a virtual host, and its management, which no client's traffic delays.

    Every method but `stop` raises `AdapterError` (see `tidegate.adapters.errors`) when the broker does not do as told.
    """

    @property
    def version(self) -> str:
        """The one asked for; after `start` the one that the broker says it is."""

    @property
    def host(self) -> str:
        """Address of all its ports."""

    @property
    def amqp_port(self) -> int:
        """TCP port for AMQP 0-9-1 with `USER` and `PASSWORD`."""

    @property
    def amqp10_port(self) -> int | None:
        """TCP port for AMQP 1.0 without authentication; None for a broker that does not speak it."""

    @property
    def virtual_host(self) -> str:
        """The one that queues are created on, and clients connect to."""

    @property
    def log(self) -> Path:
        """The operational log, there between `start` and `stop`."""

    @property
    def has_confirms(self) -> bool:
        """Whether the broker says of each message that it has it."""

    @property
    def answers_flow(self) -> bool:
        """Whether it bears that a client answers an order to stop, as AMQP 0-9-1 has it."""

    @property
    def get_converts(self) -> bool:
        """Whether it answers `basic.get` also with messages that came by another version of AMQP."""

    @property
    def jms_client(self) -> str:
        """The version of the JMS client that is tried with it."""

    @property
    def scale(self) -> int:
        """The suite's figures times this are sizes that its messages can have."""

    @property
    def charge(self) -> Charge | None:
        """What the broker charges for a message; None where that has to be measured."""

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities that this generation has, `queue-gate` and `several-queues` among them."""

    @property
    def pid(self) -> int:
        """Process id of the broker. `Unavailable` if it does not run."""

    def start(self) -> None:
        """Fetch it if need be, start it and wait until it is ready. `Unavailable` if it cannot be had."""

    def stop(self) -> None:
        """End the broker and remove all that it wrote. Stopping twice is harmless."""

    def create_queue(self, queue: str, limits: Limits) -> None:
        """Create a queue with its capacity and resume level in bytes; nothing is set for what is None."""

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages."""

    def depth(self, queue: str) -> Depth:
        """What the queue holds, in bytes as the broker charges them and in messages."""

    def traffic(self, queue: str) -> Traffic:
        """What is counted of the messages of a queue (`traffic-readable`)."""

    def shown_blocked(self, client: str, channel: int) -> bool | None:
        """Whether a channel of the client with this id is shown as blocked (`stops-shown`); None if it has none."""

    def limits_in_force(self, queue: str) -> Limits:
        """The capacity and resume level that the broker has for the queue, as it names them."""

    def set_limits(self, queue: str, limits: Limits) -> None:
        """Other limits for a queue in use (`changed-limits`)."""

    def purge(self, queue: str) -> None:
        """Remove all messages of a queue (`purge`)."""

    def move(self, queue: str, to: str) -> None:
        """Move all messages of a queue to another one (`moves-messages`)."""

    def list_messages(self, queue: str) -> int:
        """List all messages of a queue; how many are listed (`lists-messages`)."""

    def set_quota(self, virtual_host: str, usage: Usage) -> None:
        """Go on with a new virtual host that keeps messages on disk, with this quota (`usage-limits`)."""

    def end_quota(self) -> None:
        """Delete that virtual host, if there is one, and go back to the usual one."""

    def set_defaults(self, limits: Limits) -> None:
        """Limits for queues created from now on that set none of their own; None for both takes them back.

        (`default-limits`.)
        """
