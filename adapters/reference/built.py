"""Released versions as built: the reference with some rules replaced, on the scale of the real adapters.

Each has the capabilities of the real adapter for its version, and refuses the same configurations, so that the same
checks run on both. It may be made with a model of another version.
"""

from dataclasses import replace
from typing import Any, ClassVar

from tidegate.adapters.base import Identity, Limits, Unsupported
from tidegate.adapters.groups import AllBut, Declined
from tidegate.adapters.reference.andes import AndesReference
from tidegate.adapters.reference.built_artemis import BuiltArtemisAmqp
from tidegate.adapters.reference.built_artemis_core import BuiltArtemisCoreClients
from tidegate.adapters.reference.built_artemis_openwire import BuiltArtemisOpenWire
from tidegate.adapters.reference.built_artemis_stomp import BuiltArtemisStomp
from tidegate.adapters.reference.built_broker_j import BuiltBrokerJ
from tidegate.adapters.reference.built_classic_4 import BuiltClassic4
from tidegate.adapters.reference.built_classic_5 import BuiltClassic5
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.model.built import andes_client, artemis, artemis_core, artemis_openwire, artemis_stomp, classic
from tidegate.model.built import qpid as built_qpid
from tidegate.model.built.profile import Profile
from tidegate.model.language.linker import Linker
from tidegate.model.mechanisms import qpid

QPID = frozenset(
    {
        *("queue-gate", "several-queues", "default-limits", "limits-readable", "qpid-log", "changed-limits", "purge"),
        *("topics", "ignored-orders", "shared-connections", "close-clients", "kill-clients", "anonymous-producers"),
        *("client-wait", "disk-quota", "usage-limits", "persistent-messages", "late-answers", "transactions"),
        *("stops-shown", "returned-messages", "ordered-messages"),
    }
)
BROKER_J = QPID | {
    *("several-protocols", "message-limit", "refusing-policy", "dropping-policy", "several-bindings"),
    *("restarts-broker", "pauses-broker", "cuts-connections", "file-limits"),
    *("expiring-messages", "moves-messages", "lists-messages"),
    *("browsed-messages", "recreated-destinations", "filtering-consumers"),
    *("traffic-readable", "counts-expired", "counts-bytes", "dead-letters", "acknowledges-together"),
    "settled-sends",
}
OPENWIRE = frozenset(
    {
        *("address-limit", "message-limit", "refusing-policy", "dropping-policy", "page-limit", "limits-readable"),
        *("default-limits", "pattern-limits", "file-limits", "shared-limits", "changed-limits", "full-disk"),
        *("late-answers", "asynchronous-sends", "producer-window", "transactions", "shared-connections"),
        *("topics", "anonymous-producers", "close-clients", "kill-clients", "restarts-broker", "pauses-broker"),
        *("purge", "moves-messages", "lists-messages", "expiring-messages", "browsed-messages", "dead-letters"),
        *("recreated-destinations", "filtering-consumers", "traffic-readable", "counts-expired", "counts-bytes"),
        *("usage-shown", "ordered-messages"),
    }
)
STOMP = (OPENWIRE - {"full-disk", "producer-window", "shared-connections", "browsed-messages"}) | {
    *("message-properties", "returned-messages"),
}
WITH_TOPICS = frozenset(
    {"topics", "several-bindings", "later-bindings", "temporary-subscriptions", "temporary-destinations"}
)
"""The capabilities of a Classic adapter with topics, and with temporary destinations."""
SCALE_OF_BROKER_J = 200

DISK_SCALE = 6000
"""The factor of the real adapter for figures about a disk."""


class Built:
    """A version as built. It runs by the rules of its `profile`, or by the given model."""

    profile: ClassVar[Profile]

    def __init_subclass__(cls, profile: Profile | None = None, **named: Any) -> None:
        super().__init_subclass__(**named)
        if profile is not None:
            name = f"built:{profile.name}"
            cls.profile = profile
            cls.identity = Identity("built", profile.name, "virtual", name)  # type: ignore[attr-defined]

    def __init__(self, model: Linker | None = None) -> None:
        super().__init__(self.profile.linker if model is None else model)  # type: ignore[call-arg]


class BuiltQpid018(Built, QpidReference, profile=built_qpid.QPID_0_18):
    """The Qpid Java broker 0.18."""

    capabilities = QPID
    parameters = replace(QpidReference.parameters, protocols=("AMQP 0-9-1",), disk_scale=DISK_SCALE)


class BuiltQpid617(Built, QpidReference, profile=built_qpid.QPID_6_1_7):
    """The Qpid Java broker 6.1.7, whose levels are in bytes."""

    capabilities = (QPID - {"stops-shown"}) | {
        *("several-bindings", "restarts-broker", "pauses-broker", "cuts-connections"),
        *("expiring-messages", "moves-messages", "lists-messages", "recreated-destinations"),
        *("traffic-readable", "counts-bytes"),
    }
    parameters = replace(QpidReference.parameters, protocols=("AMQP 0-9-1",), disk_scale=DISK_SCALE)

    def _gate_of(self, destination: str, limits: Limits) -> qpid.Limits:
        """Unsupported for a resume level above the capacity."""
        in_force = super()._gate_of(destination, limits)
        if in_force.resume > in_force.capacity != self._model.default(qpid, "NO_LIMIT"):
            raise Unsupported(f"a resume level of {in_force.resume} bytes is above the capacity of {in_force.capacity}")
        return in_force


class BuiltBrokerJSince7(Built, BuiltBrokerJ):
    """Qpid Broker-J 7 to 10."""

    capabilities = BROKER_J
    parameters = replace(
        QpidReference.parameters,
        scale=SCALE_OF_BROKER_J,
        smallest_message_bytes=SCALE_OF_BROKER_J,
        disk_scale=DISK_SCALE,
    )


class BuiltQpid7112(BuiltBrokerJSince7, profile=built_qpid.QPID_7_1_12):
    """Qpid Broker-J 7.1.12."""


class BuiltQpid806(BuiltBrokerJSince7, profile=built_qpid.QPID_8_0_6):
    """Qpid Broker-J 8.0.6."""


class BuiltQpid921(BuiltBrokerJSince7, profile=built_qpid.QPID_9_2_1):
    """Qpid Broker-J 9.2.1."""


class BuiltQpid1010(BuiltBrokerJSince7, profile=built_qpid.QPID_10_1_0):
    """Qpid Broker-J 10.1.0."""


class BuiltArtemis(Built, BuiltArtemisAmqp):
    """Artemis for AMQP producers."""

    capabilities = BuiltArtemisAmqp.capabilities - {"any-credit-window"}
    parameters = replace(VIRTUAL, scale=500, smallest_message_bytes=500)


class BuiltArtemis2200(BuiltArtemis, profile=artemis.ARTEMIS_2_20_0):
    """Artemis 2.20.0; its management limits neither pages nor messages."""

    capabilities = BuiltArtemis.capabilities - {"page-limit", "message-limit"}


class BuiltArtemis2312(BuiltArtemis, profile=artemis.ARTEMIS_2_31_2):
    """Artemis 2.31.2; only its file limits messages."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Unsupported for a limit in messages."""
        if limits.limit_messages is not None:
            raise Unsupported("management of this version limits no messages")
        super().change_limits(destination, limits)


class BuiltArtemis2440(BuiltArtemis, profile=artemis.ARTEMIS_2_44_0):
    """Artemis 2.44.0."""


class BuiltArtemis2500(BuiltArtemis, profile=artemis.ARTEMIS_2_50_0):
    """Artemis 2.50.0."""


class BuiltArtemis2550(BuiltArtemis, profile=artemis.ARTEMIS_2_55_0):
    """Artemis 2.55.0."""


class BuiltArtemisCore(Built, BuiltArtemisCoreClients):
    """Artemis for Core clients."""

    not_claimed: ClassVar[Declined] = {}
    parameters = replace(VIRTUAL, scale=1000, smallest_message_bytes=542)


class BuiltArtemisCore262(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_6_2):
    """Artemis 2.6.2."""

    capabilities = BuiltArtemisCore.capabilities - {"usage-shown"}
    parameters = replace(BuiltArtemisCore.parameters, smallest_message_bytes=534)


class BuiltArtemisCore2200(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_20_0):
    """Artemis 2.20.0."""


class BuiltArtemisCore2312(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_31_2):
    """Artemis 2.31.2."""


class BuiltArtemisCore2440(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_44_0):
    """Artemis 2.44.0."""


class BuiltArtemisCore2500(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_50_0):
    """Artemis 2.50.0."""


class BuiltArtemisCore2550(BuiltArtemisCore, profile=artemis_core.ARTEMIS_CORE_2_55_0):
    """Artemis 2.55.0."""


class BuiltArtemisOpenWire2440(Built, BuiltArtemisOpenWire, profile=artemis_openwire.ARTEMIS_OPENWIRE_2_44_0):
    """Artemis 2.44.0 for JMS clients that speak OpenWire."""

    capabilities = OPENWIRE
    parameters = replace(VIRTUAL, scale=2500, smallest_message_bytes=2336)


class BuiltArtemisStomp2440(Built, BuiltArtemisStomp, profile=artemis_stomp.ARTEMIS_STOMP_2_44_0):
    """Artemis 2.44.0 for STOMP clients."""

    capabilities = STOMP
    parameters = replace(VIRTUAL, scale=2000, smallest_message_bytes=2000)


CLASSIC = replace(VIRTUAL, scale=1200, smallest_message_bytes=1200)


class BuiltClassic412(Built, BuiltClassic4, profile=classic.CLASSIC_4_1_2):
    """ActiveMQ Classic 4.1.2."""

    parameters = CLASSIC


class BuiltClassicSince5(Built, BuiltClassic5):
    """ActiveMQ Classic 5 and 6."""

    parameters = CLASSIC


class BuiltClassic531(BuiltClassicSince5, profile=classic.CLASSIC_5_3_1):
    """ActiveMQ Classic 5.3.1."""

    capabilities = BuiltClassic5.capabilities - WITH_TOPICS - {"stops-shown"}


class BuiltClassic591(BuiltClassicSince5, profile=classic.CLASSIC_5_9_1):
    """ActiveMQ Classic 5.9.1."""

    capabilities = BuiltClassic5.capabilities - WITH_TOPICS


class BuiltClassic51516(BuiltClassicSince5, profile=classic.CLASSIC_5_15_16):
    """ActiveMQ Classic 5.15.16."""


class BuiltClassic5186(BuiltClassicSince5, profile=classic.CLASSIC_5_18_6):
    """ActiveMQ Classic 5.18.6."""


class BuiltClassic618(BuiltClassicSince5, profile=classic.CLASSIC_6_1_8):
    """ActiveMQ Classic 6.1.8."""


class BuiltClassic631(BuiltClassicSince5, profile=classic.CLASSIC_6_3_1):
    """ActiveMQ Classic 6.3.1."""


class BuiltAndesClient3212(Built, AndesReference, profile=andes_client.ANDES_CLIENT_3_2_12):
    """The JMS client of WSO2 Message Broker 3.2.12."""

    capabilities = frozenset({"memory-ratio", "usage-limits", "client-wait", "late-answers"})
    not_claimed: ClassVar[Declined] = AllBut("ANDES-CLIENT-", "only the client is of this version")
