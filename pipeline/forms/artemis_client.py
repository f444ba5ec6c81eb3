"""The log of a program with an Artemis client: an address is blocked, or is full and refuses a message.

A broker is a client too, of the brokers that it bridges to. A log recognised as a client's may therefore be a broker's,
so this form reads a broker's lines too.
"""

import re

from tidegate.pipeline.forms import artemis
from tidegate.pipeline.lines.line_form import LineForm
from tidegate.pipeline.lines.log_form import Cause, LogForm, Statement
from tidegate.record.events import Kind

BLOCKED = "AMQ212054"
"""Logged again and again while a send waits for credit."""
ADDRESS = {"destination": "{address}"}
REFUSED = {**ADDRESS, "outcome": "rejected"}

FORM = LogForm(
    name="artemis client log",
    broker="artemis-client",
    recognised_by=re.compile(r"\bAMQ21\d{4}: |\bAMQ229102: "),
    statements=(
        Statement(
            BLOCKED, LineForm("AMQ212054: Destination address={address:quoted} is blocked. {rest:rest}"),
            Kind.STOP, ADDRESS,
        ),
        Statement(
            "AMQ219058",
            LineForm('AMQ219058: Address "{address:quoted}" is full. Message encode size = {size:plain}B{rest:rest}'),
            Kind.SEND, {**REFUSED, "bytes": "{size}"},
        ),
        Statement(
            "AMQ229102", LineForm('AMQ229102: Address "{address:quoted}" is full.{rest:rest}'), Kind.SEND, REFUSED
        ),
        *artemis.FORM.statements,
    ),
    rules=artemis.FORM.rules,
    not_shown="the log of a client tells of no figures",
    causes={**artemis.FORM.causes, BLOCKED: Cause("max-size", repeated=True)},
)  # fmt: skip
