"""The kinds of file that are read."""

from enum import StrEnum


class Form(StrEnum):
    """What kind of file an input is."""

    TRACE = "trace"
    QPID_LOG = "qpid log"
    ARTEMIS_LOG = "artemis log"
    CLASSIC_LOG = "classic log"
    RABBITMQ_LOG = "rabbitmq log"
    ANDES_LOG = "andes log"
    QPID_CLIENT_LOG = "qpid client log"
    ANDES_CLIENT_LOG = "andes client log"
    ARTEMIS_CLIENT_LOG = "artemis client log"
