"""A real Artemis broker with an acceptor for OpenWire."""

from tidegate.adapters.artemis.broker import Broker

LARGEST_RECORD = 8 * 1024 * 1024
"""The most bytes of a message in one record of the journal: a longer one would not be charged to its address."""


class OpenWireBroker(Broker):
    """A broker with another port for OpenWire; only the protocol of this port is configured."""

    pinned = "artemis-openwire"
    further_protocol = "OPENWIRE"
    journal = f"<journal-buffer-size>{LARGEST_RECORD}</journal-buffer-size>"
