"""The answers that a broker owes to a STOMP client, and the messages that it sent to the client."""

from dataclasses import dataclass


@dataclass(eq=False)
class Answer:
    """The broker's answer to one frame: nothing yet, a receipt, or a refusal. An answer never changes."""

    given: bool = False
    """Whether the broker has answered."""
    refusal: str = ""
    """The text of the ERROR frame; empty unless the broker refused the frame."""

    def give(self, refusal: str = "") -> None:
        """Note the broker's first answer."""
        if not self.given:
            self.given, self.refusal = True, refusal


@dataclass(frozen=True)
class Message:
    """A message that the broker sent to a subscription."""

    headers: dict[str, str]
    """All headers of the MESSAGE frame."""

    @property
    def ack(self) -> str:
        """The value that an ACK or NACK frame names this message by."""
        return self.headers["ack"]
