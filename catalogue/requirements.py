"""Requirement sets: frozen lists of rules, so that a gate does not close because the specification grew.

A set is a file `requirements/NAME.yaml` of the specification. Until it is frozen it can be renewed from the present
rules; then its fingerprint fixes it, and a later rule goes into a later set. The newest set holds every present rule.
"""

import hashlib
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from tidegate.catalogue.rules import Rule
from tidegate.catalogue.shelf import catalogue, spec_folder, spec_version
from tidegate.catalogue.yaml_text import read_yaml
from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean

FOLDER = "requirements"


class RequirementSet(BaseModel):
    """One set: the ids of its rules in the order of the chapters."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str = Field(min_length=1)
    spec: str
    """The version of the specification that the rules are from."""
    frozen: bool
    fingerprint: str
    """SHA-256 over the ids, one a line, in alphabetical order."""
    rules: tuple[str, ...] = Field(min_length=1)


def set_names(folder: Traversable | None = None) -> tuple[str, ...]:
    """The names of all sets, in alphabetical order."""
    files = (folder or _shipped()).iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml")))


def requirement_set(
    name: str, rules: Mapping[str, Rule] | None = None, folder: Traversable | None = None
) -> RequirementSet:
    """The set of that name. BadInput where there is none, or where its file has changed since it was frozen."""
    known = catalogue() if rules is None else rules
    names = set_names(folder)
    if name not in names:
        raise BadInput(f"expected a requirement set ({', '.join(names)}), not {name!r}{did_you_mean(name, names)}")
    file = f"{FOLDER}/{name}.yaml"
    text = read_yaml((folder or _shipped()).joinpath(f"{name}.yaml").read_text(encoding="utf-8"), file)
    found = text.validated(RequirementSet)
    if found.name != name:
        raise BadInput(f"expected the name of the file, {name!r}", file=file, line=text.line_of(["name"]), field="name")
    for position, rule in enumerate(found.rules):
        if rule not in known or rule in found.rules[:position]:
            line = text.line_of(["rules", position])
            raise BadInput(f"expected the id of a rule, once, not {rule!r}", file=file, line=line, field="rules")
    if found.fingerprint != fingerprint(found.rules):
        line = text.line_of(["fingerprint"])
        raise BadInput("expected the fingerprint of the rules below", file=file, line=line, field="fingerprint")
    return found


def renewed(name: str, *, freeze: bool, path: Path) -> RequirementSet:
    """Renew the set of that name in the file `path`, with every present rule; BadInput if it is frozen there."""
    if path.exists() and read_yaml(path.read_text(encoding="utf-8"), str(path)).validated(RequirementSet).frozen:
        raise BadInput("expected a set that is not frozen; a later rule belongs in a later set", file=path)
    rules = tuple(catalogue())
    made = RequirementSet(
        name=name, spec=spec_version(), frozen=freeze, fingerprint=fingerprint(rules), rules=rules
    )  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(made.model_dump(mode="json"), sort_keys=False), encoding="utf-8")
    return made


def fingerprint(rules: Iterable[str]) -> str:
    """The fingerprint of a set, independent of the order of its rules."""
    return hashlib.sha256("\n".join(sorted(rules)).encode()).hexdigest()


def _shipped() -> Traversable:
    return spec_folder() / FOLDER
