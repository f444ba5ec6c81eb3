"""What can go wrong between the client and the broker; each one leaves what the broker keeps unknown."""

from tidegate.adapters.base import AdapterError


class NoAnswer(AdapterError):
    """The watchdog of a call ran out: the call hung."""


class ConnectionLost(AdapterError):
    """The connection is no more: never made, closed by the broker, or dropped."""


class Refused(AdapterError):
    """The broker answered with an error: a link refused or detached, a management operation failed."""


class Failed(AdapterError):
    """The client library could not do what it was told; its own traceback is a note of this error."""
