"""The log of a program with the client of WSO2 Message Broker, which derives from the client of Qpid.

Both clients log a delay in the same words, so this form must be tried first; the order of names ensures that.
"""

import re

from tidegate.model.traces.qpid_client_log_trace import TIMED_OUT
from tidegate.pipeline.forms.qpid_client import REFUSED, delays, order
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import LogForm, Statement
from tidegate.record.events import Kind

STOPPED = "Broker enforced flow control"
RELEASED = "Broker enforced flow control is no longer in effect"
FAILED = "Broker enforced flow control and client wait time exceeded"

FORM = LogForm(
    name="andes client log",
    broker="andes-client",
    recognised_by=re.compile(rf"\borg\.wso2\.andes\.client\b|{RELEASED}|{FAILED}|{STOPPED}(?=\s*$)"),
    statements=(
        *delays(),
        order(RELEASED, Kind.RELEASE),
        Statement(
            FAILED, LineForm(FAILED + " {seconds:plain}s ago{rest:rest}"),
            Kind.SEND, {**REFUSED, "credit": "{seconds}"}, cause=TIMED_OUT,
        ),
        order(STOPPED, Kind.STOP),
    ),
    not_shown="no rule says what this client logs",
)  # fmt: skip
