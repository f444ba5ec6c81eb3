"""The forms of all logs that tidegate reads; one module for each declares it as FORM.

The list is made from the modules: a new form needs its module only.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from tidegate.pipeline.lines.log_form import Cause, LogForm

TRACE = "trace"
"""The form of tidegate's own traces, which are no logs."""


def _declared() -> list[LogForm]:
    names = sorted(module.name for module in iter_modules(__path__))
    return [import_module(f"{__name__}.{name}").FORM for name in names]


LOG_FORMS: Mapping[str, LogForm] = {form.name: form for form in _declared()}
"""The forms of logs by name, in the order of the modules, in which each line of a file is tried."""
CAUSES: Mapping[str, Cause] = {
    **{cause.name: cause for form in LOG_FORMS.values() for cause in form.causes.values()},
    **{said: cause for form in LOG_FORMS.values() for said, cause in form.causes.items()},
}
"""The causes of stops, by their words in log lines and by their names in traces."""
