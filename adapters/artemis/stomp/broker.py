"""A real Artemis broker with an acceptor for STOMP."""

from tidegate.adapters.artemis.broker import LONG_RECORDS, Broker

STAYS_OPEN = "connectionTtl=3600000"
"""The acceptor closes a connection without heart-beats that is silent for an hour, not for a minute."""
NO_LARGE_MESSAGES = "stompMinLargeMessageSize=-1"
"""Every message is kept in memory: a large message would be a file, which is not charged to its address."""
ONE_MESSAGE = "stompConsumerCredits=1"
"""A subscription is sent one message, and the next one once that message is acknowledged."""


class StompBroker(Broker):
    """A broker with another port for STOMP.

    Its heap is large, for no limit stops STOMP producers: a broker whose addresses together are full answers no request
    of management.
    """

    pinned = "artemis-stomp"
    heap_mb = 2048
    further_protocol = "STOMP"
    further_options = (STAYS_OPEN, NO_LARGE_MESSAGES, ONE_MESSAGE)
    journal = LONG_RECORDS
