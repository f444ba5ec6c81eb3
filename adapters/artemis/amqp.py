"""The AMQP client, or one sentence that says what is missing for it on this machine."""

from tidegate.record.errors import Unavailable
from tidegate.record.extras import how_to_install

try:
    from tidegate.adapters.amqp10.client import Connection
    from tidegate.adapters.amqp10.content import Content
    from tidegate.adapters.amqp10.coordinator import Coordinator
    from tidegate.adapters.amqp10.links import Receiver, Sender, Sent, Taken
    from tidegate.adapters.amqp10.outcomes import Outcome
except ImportError as error:
    raise Unavailable(
        f"the adapters of Artemis need python-qpid-proton: {how_to_install('artemis')}, which takes "
        f"a C compiler and the headers of Python ({error})"
    ) from error

__all__ = ["Connection", "Content", "Coordinator", "Outcome", "Receiver", "Sender", "Sent", "Taken"]
