"""The further calls to the JMS client on Artemis, beside the calls for every broker, inside the JVM of this process."""

from tidegate.adapters.jvm.machine import hidden, java_class
from tidegate.adapters.openwire.jms import JmsClient, Line

CORRELATOR = "org.apache.activemq.transport.ResponseCorrelator"


class ArtemisJmsClient(JmsClient):
    """A JMS client that queries with a command that Artemis knows, and that shows which answers the broker owes."""

    question = "ConnectionControl"

    def owed(self, name: str) -> bool:
        """Whether the broker has not answered the message that the producer sent last.

        The broker handles the commands of a connection one after the other, and answers in this order. So, after the
        answer to a later query, only a message that the broker lets wait is still unanswered.
        """
        sending = self._producers[name]
        window = hidden(sending.producer, "producerWindow")
        if window is not None:
            return bool(window.getUsage() > 0)
        message = sending.message
        return message is not None and bool(message.isResponseRequired()) and _waits_for(sending.line, message)

    def characters(self, name: str, message_id: str) -> int:
        """The number of characters of the ids in a producer's next message: each is charged."""
        sending = self._producers[name]
        producer_id = str(hidden(sending.producer, "info").getProducerId())
        number = int(hidden(sending.producer, "messageSequence").get()) + 1
        client_id = str(sending.line.connection.getClientID())
        return len(f"{producer_id}:{number}") + len(producer_id) + len(client_id) + len(message_id)


def _waits_for(line: Line, message: object) -> bool:
    """Whether the connection still waits for the answer to a message."""
    correlator = line.connection.getTransport().narrow(java_class(CORRELATOR))
    return bool(hidden(correlator, "requestMap").containsKey(message.getCommandId()))  # type: ignore[attr-defined]
