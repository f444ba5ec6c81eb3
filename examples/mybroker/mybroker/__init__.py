"""A small message broker in memory, with flow control."""

from mybroker.broker import Broker, Channel, Connection, Consumer, Message

__all__ = ["Broker", "Channel", "Connection", "Consumer", "Message"]
