"""The fenced yaml block of a section: its fields and their allowed values."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from tidegate.catalogue.rules import Category, Form, Level

Capability = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""A capability in kebab-case."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z_][\w.]*:[A-Za-z_]\w*$")]
"""The place of a definition: `module:name`."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _listed(value: object) -> object:
    """A single name as a list of one."""
    return [value] if isinstance(value, str) else value


class CitedSection(BaseModel):
    """A section of a source document, by the document's id and the section's title."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document: Annotated[str, StringConstraints(pattern=r"^\d{3}$")]
    section: Text


class Block(BaseModel):
    """The yaml block. An empty `source` says that no document states the rule; it is then a SHOULD or a MAY."""

    model_config = ConfigDict(extra="forbid")

    level: Level
    category: Category
    needs: list[Capability] = Field(default_factory=list)
    since: dict[Text, Annotated[str, Field(strict=True)]] = Field(default_factory=dict)
    source: list[CitedSection]
    defined_by: Annotated[list[Name], Field(min_length=1), BeforeValidator(_listed)] = Field(default_factory=list)
    waives: dict[Form, Text] = Field(default_factory=dict)
    speaks_of: list[Capability] = Field(default_factory=list)
