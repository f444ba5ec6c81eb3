"""JMS connections, producers and consumers of the client from 5.0 up to 5.2, inside the JVM of this process."""

from typing import Any

from tidegate.adapters.openwire.jms import JmsClient, Receiving
from tidegate.adapters.openwire.jms_4 import CLIENT_ACKNOWLEDGE, acknowledge_alone


class JmsClient50(JmsClient):
    """A client that acknowledges by a command: the session mode for single messages is newer."""

    acknowledgement = CLIENT_ACKNOWLEDGE

    def _acknowledge(self, receiving: Receiving, message: Any) -> None:
        acknowledge_alone(receiving, message)
