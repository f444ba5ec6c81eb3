"""The old broker's charge for a message."""

from tidegate.adapters.charge import Charge


class BodyOnly(Charge):
    """A charge of the body's bytes only, independent of the message's id and the names of its route."""

    def body_bytes(self, size_bytes: int, message_id: str) -> int:
        """The size of a body, in bytes, for which a message is charged `size_bytes`: the same size."""
        return size_bytes


BODY_ONLY = BodyOnly(0, 0)
