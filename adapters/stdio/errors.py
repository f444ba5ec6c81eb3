"""What can go wrong between tidegate and a program, beside what can with every client."""

from tidegate.adapters.base import AdapterError


class NotTheProtocol(AdapterError):
    """The program wrote a line that is not what the protocol asks for there."""
