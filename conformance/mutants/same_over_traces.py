"""Changes of rules over traces that change nothing, with reasons: the solver does not know operators' memory."""

from collections.abc import Mapping
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field, RootModel

from tidegate.catalogue.yaml_text import read_yaml
from tidegate.conformance.mutants.changes import Mutant

FILE = "same_over_traces.yaml"
_STRICT = ConfigDict(extra="forbid", frozen=True)


class Change(BaseModel):
    """A rule, `module:function` within the model, and the text of its changed part before and after."""

    model_config = _STRICT
    rule: str
    was: str
    now: str


class _Group(BaseModel):
    model_config = _STRICT
    because: str = Field(min_length=1)
    changes: list[Change]


class _File(RootModel[list[_Group]]):
    """The changes by their reason."""


def declared() -> Mapping[Change, str]:
    """Every change that is declared to be none, with the reason; BadInput if the file is malformed."""
    text = (files(__package__) / FILE).read_text(encoding="utf-8")
    groups = read_yaml(text, FILE).validated(_File).root
    return {change: group.because for group in groups for change in group.changes}


def change_of(mutant: Mutant) -> Change:
    """The declaration that would fit a mutant."""
    name = mutant.original.qualified_name.rpartition(".")[2]
    return Change(rule=name, was=mutant.was, now=mutant.now)
