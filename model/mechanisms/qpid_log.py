"""The operational log messages of the Qpid broker's queue gate."""

from tidegate.model.language.message_text import Message

QUEUE_OVERFULL = Message(
    "QUE-1003", "Overfull : Size : {size:number} bytes, Capacity : {capacity:number}", may_continue=True
)
"""QPID-LOG-1: a limited queue became overfull; sizes in bytes."""
CHANNEL_STOPPED = Message("CHN-1005", "Flow Control Enforced (Queue {queue:name})")
"""QPID-LOG-2: a channel was stopped because of a queue."""
QUEUE_UNDERFULL = Message(
    "QUE-1004", "Underfull : Size : {size:number} bytes, Resume Capacity : {resume:number}", may_continue=True
)
"""QPID-LOG-3: a queue became underfull; sizes in bytes."""
CHANNEL_RELEASED = Message("CHN-1006", "Flow Control Removed")
"""QPID-LOG-4: a channel was released."""
