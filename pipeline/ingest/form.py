"""The kinds of file that are read."""

from enum import StrEnum


class Form(StrEnum):
    """What kind of file an input is."""

    TRACE = "trace"
    QPID_LOG = "qpid log"
    ARTEMIS_LOG = "artemis log"
