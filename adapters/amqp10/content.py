"""A message as plain data, which any thread may hold: proton's message objects stay with the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proton import Message, symbol

MS_PER_SECOND = 1000
DELAY = symbol("x-opt-delivery-delay")
"""The annotation of a message with the ms before which it is given to nobody."""


@dataclass(frozen=True)
class Content:
    """The content of a message."""

    message_id: str
    body: object = None
    """Bytes travel as an AMQP data section, anything else as an AMQP value."""
    durable: bool = False
    to: str | None = None
    """The address, for an anonymous sender."""
    reply_to: str | None = None
    correlation_id: object = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    lives_ms: int | None = None
    """The time after which the message expires, in ms; None: never."""
    delay_ms: int | None = None
    """The time before which the message is given to nobody, in ms; None: it is given at once."""
    priority: int | None = None
    """0 to 9; None: the usual one."""

    def as_message(self) -> Message:
        """Proton's message with this content; for the engine's thread."""
        message = Message(
            body=self.body,  # type: ignore[arg-type]  # proton's types leave out some of what it sends
            inferred=True,
            id=self.message_id,
            durable=self.durable,
            address=self.to,
            reply_to=self.reply_to,
            correlation_id=self.correlation_id,
            properties=dict(self.properties) or None,
        )
        if self.lives_ms is not None:
            message.ttl = self.lives_ms / MS_PER_SECOND
        if self.delay_ms is not None:
            message.annotations = {DELAY: self.delay_ms}
        if self.priority is not None:
            message.priority = self.priority
        return message

    @property
    def encoded_bytes(self) -> int:
        """The size of the encoded message in bytes; for any thread, since it makes its own proton message."""
        return len(self.as_message().encode())

    @classmethod
    def of(cls, message: Message) -> "Content":
        """The content of proton's message; it refers to none of the message's memory."""
        body: object = message.body
        return cls(
            message_id=str(message.id),
            body=bytes(body) if isinstance(body, memoryview) else body,
            durable=message.durable,
            to=message.address,
            reply_to=message.reply_to,
            correlation_id=message.correlation_id,
            properties=dict(message.properties or {}),
        )
