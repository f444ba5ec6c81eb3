"""The log of a program with a Qpid Java client or a WSO2 one: a send waits or failed. The client knows no queue."""

from tidegate.model.mechanisms.qpid_client import NOTICE
from tidegate.why.lines.form import Fields, form, number
from tidegate.why.notices import Blocked, Cause, Released, Said

WAITS = Cause(
    family="qpid client",
    setting="",
    reason="the broker ordered the client's channel to stop",
    frees="it depends on the limit: of a queue the channel sends to, or of the store",
    change="look up CHN-1005 and QUE-1003 (queue), MST-1008 (store) in the log of the broker; the wait ends after "
    "qpid.flow_control_wait_failure ms with a JMSException",
    ask="GET /api/latest/session: producerFlowBlocked, and GET /api/latest/queue: queueFlowStopped",
    rule="QPID-CLIENT-1",
    tells_limit=False,
)
MARK = NOTICE.removeprefix("WARN ").split("{")[0]
DELAYED = MARK + r"(?P<seconds>\d+)s due to broker enforced flow control"
FAILED = (
    r"(?:Message send failed due to timeout waiting on broker enforced flow control"
    r"|Unable to send message for \d+ seconds due to broker enforced flow control"
    r"|Broker enforced flow control and client wait time exceeded(?: (?P<seconds>\d+)s ago)?"
    r"|Timed out waiting for message send flow to be enabled)"
)
STOPPED = r"Broker enforced flow control(?: has been enforced|\s*$)"
RELEASED = r"Broker enforced flow control (?:is )?no longer in effect"


def _waits(fields: Fields) -> Said:
    return Blocked(WAITS, "", "a client", seconds=number(fields.get("seconds")) or 0)


FORMS = (
    form(MARK.strip(), DELAYED, _waits),
    form("low control", RELEASED, lambda fields: Released((WAITS.family,))),
    form("low control", FAILED, _waits),
    form("message send flow", FAILED, _waits),
    form("low control", STOPPED, _waits),
)
