"""What the log of a Qpid Java client must show of sends that wait.

A client logs by whatever logging library its program uses, and only some layouts say the level of a line.
"""

from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment

ORDER = "order"
"""Why a client stops and goes on: the broker said so."""
DELAYED = "delayed"
"""The cause of a notice whose level is not known; else the level stands behind it."""
DELAYED_AT_WARN = "delayed, WARN"
DELAYED_AT_INFO = "delayed, INFO"
DELAYED_AT_DEBUG = "delayed, DEBUG"
DELAYED_AT_ERROR = "delayed, ERROR"
TIMED_OUT = "timed out"


@rule
def is_a_notice_of_known_level(e: Moment) -> bool:
    """QPID-CLIENT-10: the line says that a send is delayed, and its level is known."""
    low = e.cause == DELAYED_AT_INFO or e.cause == DELAYED_AT_DEBUG
    return e.kind == Kind.SEND and (low or e.cause == DELAYED_AT_WARN or e.cause == DELAYED_AT_ERROR)


@trace_rule
def a_delayed_send_is_a_warning(e: Moment) -> bool:
    """QPID-CLIENT-10: a line that says that a send is delayed is a warning, where its level is known."""
    given(is_a_notice_of_known_level(e))
    return e.cause == DELAYED_AT_WARN
