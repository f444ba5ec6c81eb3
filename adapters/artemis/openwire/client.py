"""What the JMS client is asked on Artemis beside what it is asked on every broker, inside the JVM of this process."""

from tidegate.adapters.jvm.machine import hidden, java_class
from tidegate.adapters.openwire.jms import JmsClient, Line

CORRELATOR = "org.apache.activemq.transport.ResponseCorrelator"


class ArtemisJmsClient(JmsClient):
    """Asks by a command that Artemis knows, and tells what the broker owes an answer to."""

    question = "ConnectionControl"

    def owed(self, name: str) -> bool:
        """Whether the broker has not answered the message that the producer sent last.

        The broker deals with the commands of a connection one after the other, and answers in that order. So, once a
        later question was answered, it is owed only for a message that the broker lets wait.
        """
        sending = self._producers[name]
        window = hidden(sending.producer, "producerWindow")
        if window is not None:
            return bool(window.getUsage() > 0)
        message = sending.message
        return message is not None and bool(message.isResponseRequired()) and _waits_for(sending.line, message)

    def characters(self, name: str, message_id: str) -> int:
        """Characters of the ids that the next message of a producer bears: of these each is charged."""
        sending = self._producers[name]
        producer_id = str(hidden(sending.producer, "info").getProducerId())
        number = int(hidden(sending.producer, "messageSequence").get()) + 1
        client_id = str(sending.line.connection.getClientID())
        return len(f"{producer_id}:{number}") + len(producer_id) + len(client_id) + len(message_id)


def _waits_for(line: Line, message: object) -> bool:
    """Whether the connection still waits for the answer to a message."""
    correlator = line.connection.getTransport().narrow(java_class(CORRELATOR))
    return bool(hidden(correlator, "requestMap").containsKey(message.getCommandId()))  # type: ignore[attr-defined]
