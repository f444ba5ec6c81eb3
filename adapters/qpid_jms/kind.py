"""The kinds of clients: the client of Qpid, and a client derived from it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A client, by the name of its jars in `brokers.yaml`."""

    name: str
    words: str
    package: str
    """The package of its classes."""
    notice: re.Pattern[str]
    """Matches the line of its log that says that a send waits."""
    has_addresses: bool
    """Whether a destination may be an address of exchange and key, for which the client declares no queue."""
    properties: tuple[str, ...] = ()
    """Options of its JVM."""


QPID = Kind(
    "qpid-client",
    "the Qpid JMS client",
    "org.apache.qpid",
    re.compile(r"^\S+ \S+ WARN +\["),
    True,
)
WSO2 = Kind(
    "andes-client",
    "the JMS client of WSO2 Message Broker",
    "org.wso2.andes",
    re.compile(r"Message send delayed by \d+s due to broker enforced flow control"),
    False,
    # the other broker's queues are not declared again, and this broker sends no heartbeats
    ("-Dqpid.declare_queues=false", "-Dqpid.declare_exchanges=false", "-Damqj.heartbeat.delay=0"),
)
KINDS = {each.name: each for each in (QPID, WSO2)}
