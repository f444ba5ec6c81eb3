"""The forms of all logs that are read. A new one is a module that declares it, a name in Form, and a line here."""

from collections.abc import Mapping

from tidegate.pipeline.ingest.andes_log import ANDES_LOG
from tidegate.pipeline.ingest.artemis_client_log import ARTEMIS_CLIENT_LOG
from tidegate.pipeline.ingest.artemis_log import ARTEMIS_LOG
from tidegate.pipeline.ingest.classic_log import CLASSIC_LOG
from tidegate.pipeline.ingest.form import Form
from tidegate.pipeline.ingest.log_form import LogForm
from tidegate.pipeline.ingest.qpid_client_log import ANDES_CLIENT_LOG, QPID_CLIENT_LOG
from tidegate.pipeline.ingest.qpid_log import QPID_LOG
from tidegate.pipeline.ingest.rabbitmq_log import RABBITMQ_LOG

LOG_FORMS: Mapping[Form, LogForm] = {
    Form.QPID_LOG: QPID_LOG,
    Form.ARTEMIS_LOG: ARTEMIS_LOG,
    Form.CLASSIC_LOG: CLASSIC_LOG,
    Form.RABBITMQ_LOG: RABBITMQ_LOG,
    Form.ANDES_LOG: ANDES_LOG,
    Form.ANDES_CLIENT_LOG: ANDES_CLIENT_LOG,
    Form.QPID_CLIENT_LOG: QPID_CLIENT_LOG,
    Form.ARTEMIS_CLIENT_LOG: ARTEMIS_CLIENT_LOG,
}
"""Tried in this order on each line of a file until one recognises it."""
