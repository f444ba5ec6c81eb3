"""JMS connections, producers and consumers of the client before 5.0, inside the JVM of this process."""

from typing import Any

from tidegate.adapters.jvm.machine import hidden, java_class, see_jars
from tidegate.adapters.openwire.jms import JmsClient, Line, Receiving, Way

CLIENT_ACKNOWLEDGE = 2
STANDARD_ACKNOWLEDGEMENT = 2
"""The type of an acknowledgement of a message, not only of its arrival."""


class JmsClient4(JmsClient):
    """A client without a window, and without a session mode that acknowledges each message separately."""

    acknowledgement = CLIENT_ACKNOWLEDGE

    def _line(self, name: str, client_id: str = "") -> Line:
        see_jars()
        return super()._line(name, client_id)

    def _set_window(self, line: Line, window_bytes: int) -> None:
        if window_bytes:
            raise ValueError("the client before 5.0 has no producer window")

    def _configure(self, line: Line) -> None:
        """Configure a connection. ValueError for producers of several ways: its settings hold for all of them."""
        if len(line.ways) > 1:
            raise ValueError("before 5.0 all producers of a connection wait for answers, or none does")
        line.connection.setUseSyncSend(Way.SYNCHRONOUS in line.ways)
        line.connection.setUseAsyncSend(Way.ASYNCHRONOUS in line.ways)

    def _acknowledge(self, receiving: Receiving, message: Any) -> None:
        acknowledge_alone(receiving, message)

    def _socket(self, line: Line) -> Any:
        transport = java_class("org.apache.activemq.transport.tcp.TcpTransport")
        return hidden(line.connection.getTransportChannel().narrow(transport), "socket")


def acknowledge_alone(receiving: Receiving, message: Any) -> None:
    """Send the command of the protocol: `acknowledge` of a message would acknowledge all messages of its session."""
    command = java_class("org.apache.activemq.command.MessageAck")()
    command.setConsumerId(hidden(receiving.consumer, "info").getConsumerId())
    command.setDestination(message.getDestination())
    command.setFirstMessageId(message.getMessageId())
    command.setLastMessageId(message.getMessageId())
    command.setMessageCount(1)
    command.setAckType(STANDARD_ACKNOWLEDGEMENT)
    receiving.session.asyncSendPacket(command)
