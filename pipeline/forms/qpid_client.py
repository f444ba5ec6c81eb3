"""The log of a program with a Qpid Java client.

The client logs the broker's orders to stop and to resume, at intervals how long a send has waited, and a send's
timeout. It names no queue. The thread in brackets, where the layout has it, stands for the producer.
"""

import re
from collections.abc import Iterator

from tidegate.model.mechanisms.qpid_client import NOTICE
from tidegate.model.traces.log_rules import OF_QPID_CLIENT_LOGS
from tidegate.model.traces.qpid_client_log_trace import (
    DELAYED,
    DELAYED_AT_DEBUG,
    DELAYED_AT_ERROR,
    DELAYED_AT_INFO,
    DELAYED_AT_WARN,
    ORDER,
    TIMED_OUT,
)
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import LogForm, Statement, Subject
from tidegate.record.events import Kind

LEVELS = {
    "WARN": DELAYED_AT_WARN,
    "INFO": DELAYED_AT_INFO,
    "DEBUG": DELAYED_AT_DEBUG,
    "ERROR": DELAYED_AT_ERROR,
}
THREAD = r"(?:[^\[]*\[(?P<producer>[^\]]+)\].*| .*)?"
"""The text between the level and the message, with the thread in brackets or without."""
DELAY = LineForm(NOTICE.removeprefix("WARN ").replace("{seconds}", "{seconds:plain}") + "{rest:rest}")
STOPPED = "Broker enforced flow control has been enforced"
RELEASED = "Broker enforced flow control no longer in effect"
FAILED = "Message send failed due to timeout waiting on broker enforced flow control"
REFUSED = {"outcome": "rejected"}
WAITING = {"outcome": "unsettled", "credit": "{seconds}"}
"""An unsettled send, and how many seconds it has waited."""


def delays() -> Iterator[Statement]:
    """The statements with the waiting time of a send; the cause is the line's log level if the layout shows it."""
    mark = DELAY.opening.rstrip()
    for level, cause in LEVELS.items():
        before = Subject(level, rf"{level}{THREAD}", "level", f"expected {level} in front of the text")
        carries = {"producer": "{producer}", **WAITING}
        yield Statement(mark, DELAY, Kind.SEND, carries, before, cause=cause)
    yield Statement(mark, DELAY, Kind.SEND, WAITING, cause=DELAYED)


def order(text: str, kind: Kind) -> Statement:
    """A line that says that the broker stopped the client, or released it."""
    return Statement(text, LineForm(text + "{rest:rest}"), kind, {}, cause=ORDER)


FORM = LogForm(
    name="qpid client log",
    broker="qpid-client",
    recognised_by=re.compile(
        rf"\borg\.apache\.qpid\.client\b|{STOPPED}|{RELEASED}|{FAILED}|{re.escape(DELAY.opening)}\d"
    ),
    statements=(
        *delays(),
        order(STOPPED, Kind.STOP),
        order(RELEASED, Kind.RELEASE),
        Statement(FAILED, LineForm(FAILED + "{rest:rest}"), Kind.SEND, REFUSED, cause=TIMED_OUT),
    ),
    rules=OF_QPID_CLIENT_LOGS,
)
