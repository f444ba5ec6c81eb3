"""Which trace rules judge an input of each form."""

from collections.abc import Mapping, Sequence

from tidegate.model.language.rule import Definition
from tidegate.model.traces import log_rules
from tidegate.pipeline.ingest.inputs import Form

RULES_OF_LOGS: Mapping[Form, tuple[Definition, ...]] = {
    Form.QPID_LOG: log_rules.OF_QPID_LOGS,
    Form.ARTEMIS_LOG: log_rules.OF_ARTEMIS_LOGS,
    Form.ARTEMIS_CLIENT_LOG: log_rules.OF_ARTEMIS_LOGS,
    Form.CLASSIC_LOG: log_rules.OF_CLASSIC_LOGS,
    Form.ANDES_LOG: log_rules.OF_ANDES_LOGS,
    Form.QPID_CLIENT_LOG: log_rules.OF_QPID_CLIENT_LOGS,
    Form.ANDES_CLIENT_LOG: (),
    Form.RABBITMQ_LOG: (),
}
"""Every form of log has its rules; that there is none says that no document here says how it reads."""


def rules_of(form: Form) -> tuple[Definition, ...]:
    """The trace rules that judge an input of this form."""
    if form is not Form.TRACE:
        return RULES_OF_LOGS[form]
    # imported here, for a log is judged without these many rules
    from tidegate.model.traces.run_rules import OF_RUNS

    return OF_RUNS


def every_rule() -> tuple[Definition, ...]:
    """The trace rules of all forms."""
    return tuple(dict.fromkeys(rule for form in Form for rule in rules_of(form)))


def if_told(definitions: Sequence[Definition]) -> bool:
    """Whether these are about what a broker need not have, so that a log which tells nothing of it leaves none open."""
    return bool(definitions) and all(definition in log_rules.IF_TOLD for definition in definitions)
