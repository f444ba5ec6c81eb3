"""A real Artemis broker with an acceptor for OpenWire."""

from tidegate.adapters.artemis.broker import LONG_RECORDS, Broker


class OpenWireBroker(Broker):
    """A broker with another port for OpenWire; only the protocol of this port is configured."""

    pinned = "artemis-openwire"
    further_protocol = "OPENWIRE"
    journal = LONG_RECORDS
