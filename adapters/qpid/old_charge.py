"""What the old broker charges a queue for a message."""

from tidegate.adapters.charge import Charge


class BodyOnly(Charge):
    """The bytes of the body, whatever the message's id and the names on its way."""

    def body_bytes(self, size_bytes: int, message_id: str) -> int:
        """The size of a body, in bytes, for which a message is charged `size_bytes`: the same size."""
        return size_bytes


BODY_ONLY = BodyOnly(0, 0)
