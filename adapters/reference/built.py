"""Released versions as they are built: the reference with some rules replaced, on the scale of the real adapters.

Each claims what the real adapter claims for its version, and refuses what that one cannot configure, so that the same
checks run on both. It may be made with another model than that of its version.
"""

from dataclasses import replace

from tidegate.adapters.base import Identity, Limits, Unsupported
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.model.built.artemis import ARTEMIS_2_44_0, ARTEMIS_CORE_2_44_0
from tidegate.model.built.classic import CLASSIC_4_1_2, CLASSIC_5_3_1, CLASSIC_6_3_1
from tidegate.model.built.qpid import QPID_0_18, QPID_10_1_0
from tidegate.model.language.linker import Linker
from tidegate.model.mechanisms import qpid

QPID = frozenset(
    {
        *("queue-gate", "several-queues", "default-limits", "limits-readable", "qpid-log", "changed-limits", "purge"),
        *("topics", "ignored-orders", "shared-connections", "close-clients", "kill-clients", "anonymous-producers"),
        *("client-wait", "disk-quota", "usage-limits", "persistent-messages", "late-answers", "transactions"),
    }
)

DISK_SCALE = 6000
"""What the real adapter multiplies figures by where they are about a disk."""


class BuiltQpid018(QpidReference):
    """The Qpid Java broker 0.18."""

    identity = Identity("built", "qpid-0.18", "virtual", "built:qpid-0.18")
    capabilities = QPID
    parameters = replace(QpidReference.parameters, protocols=("AMQP 0-9-1",), disk_scale=DISK_SCALE)

    def __init__(self, model: Linker = QPID_0_18.linker) -> None:
        super().__init__(model)


class BuiltQpid1010(QpidReference):
    """Qpid Broker-J 10.1.0, whose resume level is a percentage of the capacity."""

    identity = Identity("built", "qpid-10.1.0", "virtual", "built:qpid-10.1.0")
    capabilities = QPID | {"several-protocols"}
    parameters = replace(QpidReference.parameters, scale=200, smallest_message_bytes=200, disk_scale=DISK_SCALE)

    def __init__(self, model: Linker = QPID_10_1_0.linker) -> None:
        super().__init__(model)

    def _limits(self, limits: Limits) -> qpid.Limits:
        """As configured; Unsupported for a limit in messages, or a resume level that is no per cent of the capacity."""
        if limits.limit_messages is not None:
            raise Unsupported("the model of this version has no limit in messages")
        capacity = self._defaults.capacity if limits.limit_bytes is None else limits.limit_bytes
        if limits.resume_bytes is not None and limits.resume_bytes > capacity:
            raise Unsupported(
                f"no percentage up to 100 of a capacity of {capacity} bytes is a resume level of {limits.resume_bytes} "
                "bytes"
            )
        return super()._limits(limits)

    def _resume_level(self, queue: qpid.Queue) -> int:
        """The highest level at which the queue is underfull; -1 where it has no limit."""
        if not self._rule(qpid.limited)(queue) or queue.resume != qpid.NOT_SET:
            return queue.resume
        low, high = 0, queue.capacity
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if self._rule(qpid.underfull)(replace(queue, bytes=middle)) else (low, middle - 1)
            )
        return low


class BuiltArtemis2440(ArtemisReference):
    """Artemis 2.44.0 for AMQP producers.

    What it does otherwise under FAIL, and with a limit of pages, is replaced by no rule yet, so it claims neither.
    """

    identity = Identity("built", "artemis-2.44.0", "virtual", "built:artemis-2.44.0")
    capabilities = ArtemisReference.capabilities - {"any-credit-window", "refusing-policy", "page-limit", "full-disk"}
    parameters = replace(VIRTUAL, scale=500, smallest_message_bytes=500)

    def __init__(self, model: Linker = ARTEMIS_2_44_0.linker) -> None:
        super().__init__(model)


class BuiltArtemisCore2440(ArtemisCoreReference):
    """Artemis 2.44.0 for Core clients."""

    identity = Identity("built", "artemis-core-2.44.0", "virtual", "built:artemis-core-2.44.0")
    capabilities = ArtemisCoreReference.capabilities
    parameters = replace(VIRTUAL, scale=1000, smallest_message_bytes=1000)

    def __init__(self, model: Linker = ARTEMIS_CORE_2_44_0.linker) -> None:
        super().__init__(model)


CLASSIC = replace(VIRTUAL, scale=1200, smallest_message_bytes=1200)


class BuiltClassic412(Classic4Reference):
    """ActiveMQ Classic 4.1.2."""

    identity = Identity("built", "classic-4.1.2", "virtual", "built:classic-4.1.2")
    parameters = CLASSIC

    def __init__(self, model: Linker = CLASSIC_4_1_2.linker) -> None:
        super().__init__(model)


class BuiltClassic5(ClassicReference):
    """What Classic 5 and 6 have beside what their document is about: connections that break."""

    capabilities = ClassicReference.capabilities | {"kill-clients"}
    parameters = CLASSIC

    def kill(self, connection: str) -> None:
        for client in self._storage.disconnect(connection):
            (self.close_consumer if self._storage.is_consumer(client) else self.close_producer)(client)


class BuiltClassic531(BuiltClassic5):
    """ActiveMQ Classic 5.3.1."""

    identity = Identity("built", "classic-5.3.1", "virtual", "built:classic-5.3.1")
    capabilities = BuiltClassic5.capabilities - {"topics"}

    def __init__(self, model: Linker = CLASSIC_5_3_1.linker) -> None:
        super().__init__(model)


class BuiltClassic631(BuiltClassic5):
    """ActiveMQ Classic 6.3.1."""

    identity = Identity("built", "classic-6.3.1", "virtual", "built:classic-6.3.1")

    def __init__(self, model: Linker = CLASSIC_6_3_1.linker) -> None:
        super().__init__(model)
