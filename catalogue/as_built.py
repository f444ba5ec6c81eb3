"""The formula of a definition in a released version, as built."""

from tidegate.catalogue.formula import Line, formula, formula_of, resolve
from tidegate.model.built.profiles import profile_named
from tidegate.model.language.rule import definition_of


def formula_as_built(defined_by: str, profile: str) -> tuple[Line, ...]:
    """The formula of a rule under the replacements of a profile; for anything but a rule, the documents' formula.

    BadInput where there is no such definition, or no such profile.
    """
    linker = profile_named(profile).linker
    found = resolve(defined_by)
    if not callable(found) or definition_of(found) is None:
        return formula(defined_by)
    definition = definition_of(linker.linked(found))
    return () if definition is None else formula_of(definition)
