"""Which trace rules judge an input of each form."""

from collections.abc import Mapping, Sequence

from headgate.model import trace_rules
from headgate.model.language import Definition
from headgate.pipeline.ingest.inputs import Form

RULES_OF: Mapping[Form, tuple[Definition, ...]] = {
    Form.TRACE: trace_rules.OF_RUNS,
    Form.QPID_LOG: trace_rules.OF_QPID_LOGS,
    Form.ARTEMIS_LOG: trace_rules.OF_ARTEMIS_LOGS,
    Form.ARTEMIS_CLIENT_LOG: trace_rules.OF_ARTEMIS_LOGS,
    Form.CLASSIC_LOG: trace_rules.OF_CLASSIC_LOGS,
    Form.ANDES_LOG: trace_rules.OF_ANDES_LOGS,
    Form.QPID_CLIENT_LOG: trace_rules.OF_QPID_CLIENT_LOGS,
    Form.ANDES_CLIENT_LOG: (),
    Form.RABBITMQ_LOG: (),
}
"""Every form of input has its rules; that there is none says that no document here says how it reads."""


def rules_of(form: Form) -> tuple[Definition, ...]:
    """The trace rules that judge an input of this form."""
    return RULES_OF[form]


def every_rule() -> tuple[Definition, ...]:
    """The trace rules of all forms."""
    return tuple(dict.fromkeys(rule for rules in RULES_OF.values() for rule in rules))


def if_told(definitions: Sequence[Definition]) -> bool:
    """Whether these are about what a broker need not have, so that a log which tells nothing of it leaves none open."""
    return bool(definitions) and all(definition in trace_rules.IF_TOLD for definition in definitions)
