"""The forms of all logs that are read. A new one is a module that declares it, a name in Form, and a line here."""

from collections.abc import Mapping

from headgate.pipeline.ingest.artemis_log import ARTEMIS_LOG
from headgate.pipeline.ingest.form import Form
from headgate.pipeline.ingest.log_form import LogForm
from headgate.pipeline.ingest.qpid_log import QPID_LOG

LOG_FORMS: Mapping[Form, LogForm] = {
    Form.QPID_LOG: QPID_LOG,
    Form.ARTEMIS_LOG: ARTEMIS_LOG,
}
"""Tried in this order on each line of a file until one recognises it."""
