"""A real Artemis broker with an acceptor for OpenWire."""

from tidegate.adapters.artemis.broker import Broker

LARGEST_RECORD = 8 * 1024 * 1024
"""Bytes of a message that still is one record of the journal: a longer one would not be charged to its address."""


class OpenWireBroker(Broker):
    """Its further port is for OpenWire; nothing but the protocol is set there."""

    pinned = "artemis-openwire"
    further_protocol = "OPENWIRE"
    journal = f"<journal-buffer-size>{LARGEST_RECORD}</journal-buffer-size>"
