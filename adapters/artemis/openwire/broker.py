"""A real Artemis broker with an acceptor for OpenWire."""

from tidegate.adapters.artemis.broker import Broker


class OpenWireBroker(Broker):
    """Its further port is for OpenWire; nothing but the protocol is set there."""

    pinned = "artemis-openwire"
    further_protocol = "OPENWIRE"
