"""The trace rules that judge the log of each broker."""

from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import (
    andes_log_trace,
    artemis_log_trace,
    classic_log_trace,
    classic_usage_log_trace,
    qpid_client_log_trace,
    qpid_disk_log_trace,
    qpid_log_trace,
    qpid_queue_log_trace,
)

OF_QPID_LOGS = rules_in(qpid_log_trace, qpid_queue_log_trace, qpid_disk_log_trace)
"""The rules over the operational log of a Qpid broker."""
OF_ARTEMIS_LOGS = rules_in(artemis_log_trace)
"""The rules over the log of an Artemis broker."""
OF_CLASSIC_LOGS = rules_in(classic_log_trace, classic_usage_log_trace)
"""The rules over the log of an ActiveMQ Classic broker."""
OF_ANDES_LOGS = rules_in(andes_log_trace)
"""The rules over the log of WSO2 Message Broker."""
OF_QPID_CLIENT_LOGS = rules_in(qpid_client_log_trace)
"""The rules over the log of a program with a Qpid Java client."""
OF_LOGS = (*OF_QPID_LOGS, *OF_ARTEMIS_LOGS, *OF_CLASSIC_LOGS, *OF_ANDES_LOGS, *OF_QPID_CLIENT_LOGS)
"""The rules over any log."""
IF_TOLD = rules_in(qpid_queue_log_trace, qpid_disk_log_trace, classic_usage_log_trace)
"""Rules about events that need not happen, or features that a broker may lack: a log without them leaves no rule
unknown."""
