"""Rules over the log of a Qpid Java client about waiting sends.

A client logs with its program's logging library, and only some layouts show the level of a line.
"""

from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment

ORDER = "order"
"""The cause of a client's stop and release: an order of the broker."""
DELAYED = "delayed"
"""The cause of a notice of unknown level; in the other causes the level follows."""
DELAYED_AT_WARN = "delayed, WARN"
DELAYED_AT_INFO = "delayed, INFO"
DELAYED_AT_DEBUG = "delayed, DEBUG"
DELAYED_AT_ERROR = "delayed, ERROR"
TIMED_OUT = "timed out"


@rule
def is_a_notice_of_known_level(e: Moment) -> bool:
    """QPID-CLIENT-10: the line reports a delayed send, and shows its log level."""
    low = e.cause == DELAYED_AT_INFO or e.cause == DELAYED_AT_DEBUG
    return e.kind == Kind.SEND and (low or e.cause == DELAYED_AT_WARN or e.cause == DELAYED_AT_ERROR)


@trace_rule
def a_delayed_send_is_a_warning(e: Moment) -> bool:
    """QPID-CLIENT-10: if a line reports a delayed send and shows its log level, the level is WARN."""
    given(is_a_notice_of_known_level(e))
    return e.cause == DELAYED_AT_WARN
