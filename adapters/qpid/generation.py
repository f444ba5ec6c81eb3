"""The generation of a version of the Qpid Java broker: how it is configured and managed."""

from packaging.version import Version

from tidegate.adapters.qpid.broker import QpidBroker
from tidegate.adapters.qpid.broker_6 import Broker6
from tidegate.adapters.qpid.broker_j import BrokerJ
from tidegate.adapters.qpid.old_broker import OldBroker
from tidegate.record.releases import release

REST_SINCE = Version("6")
"""The first version that is managed by REST."""
LEVELS_IN_BYTES_UNTIL = Version("7")
"""The first version whose resume level is a percentage."""


def has_rest(version: str) -> bool:
    """Whether the version is managed by REST."""
    return release(version) >= REST_SINCE


def has_levels_in_bytes(version: str) -> bool:
    """Whether the resume level of its queues is in bytes."""
    return release(version) < LEVELS_IN_BYTES_UNTIL


def broker_of(version: str) -> QpidBroker:
    """The broker of this version, not started. `BadInput` for a version with another form of configuration."""
    if not has_rest(version):
        return OldBroker(version)
    return Broker6(version) if has_levels_in_bytes(version) else BrokerJ(version)
