"""What a mixin for broken brokers calls of the reference behind it: its base class for mypy, and none at run time."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidegate.adapters.base import Adapter
    from tidegate.adapters.groups import Purges
    from tidegate.adapters.reference.faults import Faults

    class Behind(Adapter, Purges, Faults):
        """The verbs that every reference has."""
else:
    Behind = object
