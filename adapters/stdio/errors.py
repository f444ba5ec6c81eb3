"""What can go wrong between tidegate and a program, beside what can with every client."""

from tidegate.adapters.base import AdapterError


class Unsupported(AdapterError):
    """The program says that it has no such verb, or not with these arguments."""


class NotTheProtocol(AdapterError):
    """The program wrote a line that is not what the protocol asks for there."""
