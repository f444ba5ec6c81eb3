"""The forms of all logs that are read, one module for each, which declares it as FORM.

This list follows from the modules: a new one needs nothing beside itself.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from tidegate.pipeline.lines.log_form import Cause, LogForm

TRACE = "trace"
"""The form of what tidegate writes itself, which is no log."""


def _declared() -> list[LogForm]:
    names = sorted(module.name for module in iter_modules(__path__))
    return [import_module(f"{__name__}.{name}").FORM for name in names]


LOG_FORMS: Mapping[str, LogForm] = {form.name: form for form in _declared()}
"""Each by its name, in the order of the modules, in which each line of a file is tried until one recognises it."""
CAUSES: Mapping[str, Cause] = {
    **{cause.name: cause for form in LOG_FORMS.values() for cause in form.causes.values()},
    **{said: cause for form in LOG_FORMS.values() for said, cause in form.causes.items()},
}
"""What stops somebody, by what lines say and by the name that traces have for it."""
