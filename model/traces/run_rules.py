"""The trace rules that judge the traces of runs."""

from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import (
    andes_trace,
    artemis_core_trace,
    artemis_trace,
    classic_connection_trace,
    classic_trace,
    general,
    general_empty,
    general_faults,
    general_figures,
    general_order,
    general_release,
    general_room,
    general_shown,
    general_traffic,
    general_waits,
    qpid942_trace,
    qpid_disk_trace,
    qpid_trace,
)

OF_RUNS = rules_in(
    qpid_trace,
    qpid942_trace,
    qpid_disk_trace,
    artemis_trace,
    artemis_core_trace,
    classic_trace,
    classic_connection_trace,
    andes_trace,
    general,
    general_figures,
    general_faults,
    general_release,
    general_order,
    general_traffic,
    general_shown,
    general_room,
    general_empty,
    general_waits,
)
"""The rules over the traces that runs record."""
