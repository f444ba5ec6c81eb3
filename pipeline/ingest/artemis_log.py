"""The log of an Artemis broker: an address is blocked or unblocked, as 2.21 and later write it."""

import re

from headgate.model.artemis_log_trace import BY_GLOBAL_SIZE, BY_MESSAGES, BY_SIZE
from headgate.pipeline.ingest.line_form import LineForm
from headgate.pipeline.ingest.log_form import LogForm, Reached, Statement
from headgate.record.events import Kind

FIGURES = (
    "size={size:plain} bytes ({messages:plain} messages); "
    "maxSize={limit:level} bytes ({message_limit:level} messages); "
    "globalSize={global_size:plain} bytes ({global_messages:plain} messages); "
    "globalMaxSize={global_limit:level} bytes ({global_message_limit:level} messages);"
)
CARRIED = {"destination": "{address}", "bytes": "{size}", "messages": "{messages}", "limit": "{limit}"}
CAUSES = (
    Reached(BY_GLOBAL_SIZE, "global_size", "global_limit"),
    Reached(BY_GLOBAL_SIZE, "global_messages", "global_message_limit"),
    Reached(BY_MESSAGES, "messages", "message_limit"),
)
"""Which of the line's own limits the address has reached; none of these means its bytes."""

ARTEMIS_LOG = LogForm(
    broker="artemis",
    recognised_by=re.compile(r"\bAMQ22\d{4}: "),
    version=re.compile(r"\bAMQ221001: .*? (?:V|v)ersion (?P<version>\d+(?:\.\d+)+)"),
    statements=(
        Statement(
            "AMQ222183",
            LineForm("AMQ222183: Blocking message production on address '{address:quoted}'; " + FIGURES),
            Kind.OVERFULL, CARRIED, causes=CAUSES, cause=BY_SIZE,
        ),
        Statement(
            "AMQ221046",
            LineForm("AMQ221046: Unblocking message production on address '{address:quoted}'; " + FIGURES),
            Kind.UNDERFULL, CARRIED, causes=CAUSES, cause=BY_SIZE,
        ),
    ),
)  # fmt: skip
