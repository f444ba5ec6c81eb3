"""Errors between the client and the broker; each makes it unknown whether the broker keeps the rule."""

from tidegate.adapters.base import AdapterError


class NoAnswer(AdapterError):
    """The watchdog of a call expired: the call hung."""


class ConnectionLost(AdapterError):
    """The connection does not exist: it was never made, was closed by the broker, or was dropped."""


class Refused(AdapterError):
    """The broker answered with an error: a link refused or detached, a management operation failed."""


class Failed(AdapterError):
    """The client library could not do its work; its own traceback is a note of this error."""
