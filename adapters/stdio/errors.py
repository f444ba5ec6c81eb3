"""The error of a program that breaks the protocol; all other errors are shared with the other clients."""

from tidegate.adapters.base import AdapterError


class NotTheProtocol(AdapterError):
    """The program wrote a line that the protocol does not allow at that point."""
