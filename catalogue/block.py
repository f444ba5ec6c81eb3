"""The fenced yaml block of a section: which fields it has and what each may hold."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tidegate.catalogue.rules import Category, Form, Level

Capability = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""A capability in kebab-case."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class CitedSection(BaseModel):
    """A section of a source document, by the document's id and the section's title."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document: Annotated[str, StringConstraints(pattern=r"^\d{3}$")]
    section: Text


class Block(BaseModel):
    """The yaml block. An empty `source` says that the rule is our own; then it is a SHOULD or a MAY."""

    model_config = ConfigDict(extra="forbid")

    level: Level
    category: Category
    needs: list[Capability] = Field(default_factory=list)
    since: dict[Text, Annotated[str, Field(strict=True)]] = Field(default_factory=dict)
    source: list[CitedSection]
    defined_by: Annotated[str, StringConstraints(pattern=r"^[a-z_][\w.]*:[A-Za-z_]\w*$")] | None = None
    waives: dict[Form, Text] = Field(default_factory=dict)
    speaks_of: list[Capability] = Field(default_factory=list)
