"""The error of a program that breaks the protocol; other errors are those of every client."""

from tidegate.adapters.base import AdapterError


class NotTheProtocol(AdapterError):
    """The program wrote a line that the protocol does not allow at that point."""
