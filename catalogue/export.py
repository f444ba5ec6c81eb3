"""The whole specification as JSON, for programs in any language, and the JSON schema of that document."""

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tidegate.catalogue.formula import formula
from tidegate.catalogue.ledger import LedgerFile
from tidegate.catalogue.obligations import OWED, owed
from tidegate.catalogue.rules import Category, Form, Level, Rule

SCHEMA_VERSION = 1
SCHEMA_FILE = "spec.schema.json"
"""The published schema, below the spec folder."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExportedSource(_Part):
    """A section of a source document that states a rule."""

    document: str
    section: str


class ExportedRule(_Part):
    """One rule."""

    id: str
    title: str
    level: Level
    category: Category
    sentence: Annotated[str, Field(description="the one sentence that is judged")]
    needs: Annotated[tuple[str, ...], Field(description="capabilities without which nobody could see it")]
    since: Annotated[dict[str, str], Field(description="broker or client to the version that promises it")]
    sources: Annotated[tuple[ExportedSource, ...], Field(description="empty for a rule of our own")]
    defined_by: Annotated[str | None, Field(description="module:name of the definition")]
    steps: Annotated[tuple[str, ...], Field(description="module:name of further functions that belong to the rule")]
    formula: Annotated[tuple[str, ...], Field(description="the definition written out, a line per value")]
    owes: Annotated[tuple[Form, ...], Field(description="the forms in which the rule must stand")]
    waives: Annotated[dict[Form, str], Field(description="a form that the category owes, and why not here")]
    speaks_of: Annotated[tuple[str, ...], Field(description="conditions that the sentence itself names")]
    body: Annotated[str, Field(description="the prose, in Markdown")]
    chapter: Annotated[str, Field(description="path of the chapter below the spec folder")]
    line: Annotated[int, Field(ge=1, description="line of the heading in the chapter")]


class ExportedDocument(_Part):
    """A source document: how many of its sentences became what."""

    document: str
    about: str
    sentences: Annotated[int, Field(ge=1)]
    rules: Annotated[int, Field(ge=0, description="sentences that state rules")]
    none: Annotated[int, Field(ge=0, description="sentences that state no rule")]
    later: Annotated[int, Field(ge=0, description="sentences of mechanisms that are not yet covered")]
    not_yet_covered: Annotated[dict[str, int], Field(description="mechanism to the number of its sentences")]


class Specification(_Part):
    """The specification: all rules in their order, what each category owes, and the source documents."""

    schema_version: int
    spec_version: str
    rules: tuple[ExportedRule, ...]
    obligations: dict[Category, tuple[Form, ...]]
    documents: tuple[ExportedDocument, ...]


def specification(version: str, rules: tuple[Rule, ...], files: tuple[LedgerFile, ...]) -> Specification:
    """The exported form of these rules and ledgers; raises BadInput where a definition is missing."""
    return Specification(
        schema_version=SCHEMA_VERSION,
        spec_version=version,
        rules=tuple(_exported(rule) for rule in rules),
        obligations=dict(OWED),
        documents=tuple(_document(file) for file in files),
    )


def to_json(exported: Specification) -> str:
    """The document as indented JSON, with a line break at its end."""
    return exported.model_dump_json(indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the exported document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Specification.model_json_schema(mode="serialization"),
    }


def schema_json() -> str:
    """The schema as it is published."""
    return json.dumps(schema(), indent=2) + "\n"


def _exported(rule: Rule) -> ExportedRule:
    return ExportedRule(
        id=rule.id,
        title=rule.title,
        level=rule.level,
        category=rule.category,
        sentence=rule.sentence,
        needs=rule.needs,
        since=dict(rule.since),
        sources=tuple(ExportedSource(document=at.document, section=at.section) for at in rule.sources),
        defined_by=rule.defined_by,
        steps=rule.steps,
        formula=tuple(map(str, formula(rule.defined_by))) if rule.defined_by else (),
        owes=owed(rule),
        waives=dict(rule.waives),
        speaks_of=rule.speaks_of,
        body=rule.body,
        chapter=rule.chapter,
        line=rule.line,
    )


def _document(file: LedgerFile) -> ExportedDocument:
    ledger = file.ledger
    return ExportedDocument(
        document=ledger.document,
        about=ledger.about,
        sentences=ledger.sentences,
        not_yet_covered=dict(ledger.not_yet_covered()),
        **ledger.counts(),
    )
