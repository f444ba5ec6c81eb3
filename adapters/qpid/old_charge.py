"""What the old broker charges a queue for a message."""

from tidegate.adapters.charge import Charge


class BodyOnly(Charge):
    """The bytes of the body, whatever the message's id and the names on its way."""

    def body_bytes(self, size_bytes: int, message_id: str) -> int:
        """The bytes of body by which a message is charged `size_bytes`: as many."""
        return size_bytes


BODY_ONLY = BodyOnly(0, 0)
