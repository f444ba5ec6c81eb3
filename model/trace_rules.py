"""Which trace rules judge what: the traces of runs, and the log of each broker."""

from types import ModuleType

from headgate.model import (
    andes_log_trace,
    andes_trace,
    artemis_core_trace,
    artemis_log_trace,
    artemis_trace,
    classic_connection_trace,
    classic_log_trace,
    classic_trace,
    classic_usage_log_trace,
    general,
    general_release,
    qpid942_trace,
    qpid_client_log_trace,
    qpid_disk_log_trace,
    qpid_disk_trace,
    qpid_log_trace,
    qpid_trace,
)
from headgate.model.language import Definition
from headgate.model.tracing import trace_rules


def _rules_in(*modules: ModuleType) -> tuple[Definition, ...]:
    names = {module.__name__ for module in modules}
    return tuple(rule for rule in trace_rules() if rule.function.__module__ in names)


OF_RUNS = _rules_in(
    *(
        qpid_trace,
        qpid942_trace,
        qpid_disk_trace,
        artemis_trace,
        artemis_core_trace,
        classic_trace,
        classic_connection_trace,
        andes_trace,
        general,
        general_release,
    )
)
"""The rules over the traces that runs record."""
OF_QPID_LOGS = _rules_in(qpid_log_trace, qpid_disk_log_trace)
"""The rules over the operational log of a Qpid broker."""
OF_ARTEMIS_LOGS = _rules_in(artemis_log_trace)
"""The rules over the log of an Artemis broker."""
IF_TOLD = _rules_in(qpid_disk_log_trace, classic_usage_log_trace)
"""Rules about what a broker need not have: a log that tells nothing of it does not leave them open."""
OF_CLASSIC_LOGS = _rules_in(classic_log_trace, classic_usage_log_trace)
"""The rules over the log of an ActiveMQ Classic broker."""
OF_ANDES_LOGS = _rules_in(andes_log_trace)
"""The rules over the log of WSO2 Message Broker."""
OF_QPID_CLIENT_LOGS = _rules_in(qpid_client_log_trace)
"""The rules over the log of a program with a Qpid Java client."""
OF_LOGS = (*OF_QPID_LOGS, *OF_ARTEMIS_LOGS, *OF_CLASSIC_LOGS, *OF_ANDES_LOGS, *OF_QPID_CLIENT_LOGS)
"""The rules over any log."""
