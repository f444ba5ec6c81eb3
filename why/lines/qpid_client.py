"""Forms of lines in the log of a program with a Qpid Java or WSO2 client: a send waits or failed. The client knows no
queue."""

from dataclasses import replace

from tidegate.model.mechanisms.qpid_client import NOTICE
from tidegate.why.lines.form import Fields, form, number
from tidegate.why.notices import Blocked, Cause, Notice, Released, Said

WAITS = Cause(
    family="qpid client",
    setting="",
    reason="the broker ordered the client's channel to stop",
    frees="consume and acknowledge until the full queue is down to its resume level, or the store to its underfull "
    "limit",
    change="look up CHN-1005 and QUE-1003 (queue), MST-1008 (store) in the log of the broker; the wait ends after "
    "qpid.flow_control_wait_failure ms with a JMSException",
    ask="GET /api/latest/session: producerFlowBlocked, and GET /api/latest/queue: queueFlowStopped",
    rule="QPID-CLIENT-1",
    tells_limit=False,
)
NO_CREDIT = replace(
    WAITS,
    reason="the broker granted the client's session (AMQP 0-10) no credit for as long as the client waits",
    family="qpid client no credit",
    gave_up=True,
    tells_release=False,
)
NO_ANSWER = replace(
    WAITS,
    reason="the broker did not say in time that it has the messages of the client's session (AMQP 0-10): it is "
    "overfull, its store is slow, or it does not answer at all",
    family="qpid client no answer",
    gave_up=True,
    change="look up QUE-1003 (queue), MST-1008 (store) in the log of the broker; without these look at its disk and "
    "its thread dump",
    rule="",
    tells_release=False,
)
MARK = NOTICE.removeprefix("WARN ").split("{")[0]
DELAYED = MARK + r"(?P<seconds>\d+)s due to broker enforced flow control"
FAILED = (
    r"(?:Message send failed due to timeout waiting on broker enforced flow control"
    r"|Unable to send message for \d+ seconds due to broker enforced flow control"
    r"|Broker enforced flow control and client wait time exceeded(?: (?P<seconds>\d+)s ago)?"
    r"|Timed out waiting for message send flow to be enabled"
    r"|Interrupted while waiting for flow control to be removed|Flow control enable while failover)"
)
STOPPED = r"Broker enforced flow control(?: has been enforced|\s*$)"
RELEASED = r"Broker enforced flow control (?:is )?no longer in effect"


def _waits(fields: Fields) -> Said:
    return Blocked(WAITS, "", "a client", seconds=number(fields.get("seconds")) or 0)


def _failed(fields: Fields) -> Said:
    return Blocked(replace(WAITS, gave_up=True), "", "a client", seconds=number(fields.get("seconds")) or 0)


FORMS = (
    form(MARK.strip(), DELAYED, _waits),
    form("low control", RELEASED, lambda fields: Released((WAITS.family,))),
    form("low control", FAILED, _failed),
    *(form(mark, FAILED, _failed) for mark in ("message send flow", "flow control to be removed")),
    form("low control", STOPPED, _waits),
    form(
        "producerFlowBlocked",
        r"\"?producerFlowBlocked\"?\s{0,20}[:=]\s{0,20}(?P<set>true|false)\b",
        lambda fields: Blocked(WAITS, "", "a session") if fields["set"] == "true" else Notice("qpid figures"),
    ),
    form(
        "Flow Blocked",
        r"Flow Blocked\s{0,20}[:=|]\s{0,20}(?P<set>true|false)\b",
        lambda fields: Blocked(WAITS, "", "a channel") if fields["set"] == "true" else Notice("qpid figures"),
    ),
    *(
        form(mark, text, lambda fields: Blocked(NO_CREDIT, "", "a client"))
        for mark, text in (
            ("nterrupted while waiting for credit", r"[Ii]nterrupted while waiting for credit"),
            ("waiting to get credit to send", r"Timed out while waiting to get credit to send"),
        )
    ),
    form(
        "timed out waiting for message credit",
        r"(?:Exception when sending message: ?)?timed out waiting for message credit",
        lambda fields: Blocked(NO_CREDIT, "", "a client"),
    ),
    form(
        "timed out waiting for sync",
        r"(?:Exception when sending message: ?)?timed out waiting for sync: complete = ",
        lambda fields: Blocked(NO_ANSWER, "", "a client"),
    ),
)
