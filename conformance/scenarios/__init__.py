"""The steps behind the scenarios in features/: one module per mechanism, one to three lines a step."""

MODULES = (
    "common",
    "general",
    "beside",
    "faults",
    "overflow",
    "bindings",
    "full_disk",
    "queue_gate",
    "amqp_credit",
    "andes",
    "client_wait",
    "disk_quota",
    "qpid942",
    "classic",
    "classic_connection",
    "classic_usage",
    "consumer_window",
    "rate",
    "producer_window",
    "consumption",
    "transactions",
    "sessions",
    "leftovers",
    "rounds",
)
"""The modules of this package that hold steps."""
