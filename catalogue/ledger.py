"""The ledger: every sentence of every source document, by ordinal and hash, and its fate.

A sentence is either mapped to rules, or states no possible rule (`none`, with the reason), or states a mechanism that
this version of the specification does not cover yet (`later`, with its name).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from tidegate.catalogue.rules import Rule
from tidegate.catalogue.sentences import RULE_NAME
from tidegate.catalogue.shelf import spec_folder
from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.record.errors import BadInput

SOURCES = "sources"
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Entry(BaseModel):
    """One sentence: its ordinal from 1, its SHA-256, and exactly one of rules, none and later."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sentence: Annotated[int, Field(ge=1)]
    sha256: Fingerprint
    rules: Annotated[list[Text], Field(min_length=1)] | None = None
    none: Text | None = None
    later: Text | None = None

    @model_validator(mode="after")
    def _has_one_fate(self) -> Self:
        if sum(fate is not None for fate in (self.rules, self.none, self.later)) != 1:
            raise ValueError("expected exactly one of rules, none and later")
        return self


class Section(BaseModel):
    """A section of the document by its title, and the ordinal of its first sentence."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: Text
    first: Annotated[int, Field(ge=1)]


class Ledger(BaseModel):
    """One document: its id, its kind, the rule that cut it into sentences, its sections and all its sentences."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document: Annotated[str, StringConstraints(pattern=r"^\d{3}$")]
    about: Text
    title: Text
    address: Text
    """The present public address of the document, perhaps of another version of it."""
    cut_by: str
    sections: Annotated[list[Section], Field(min_length=1)]
    sentences: Annotated[int, Field(ge=1)]
    """The number of the document's sentences."""
    entries: list[Entry]

    def cited(self, section: str) -> frozenset[str]:
        """The ids of the rules that sentences of this section state; KeyError for an unknown section."""
        starts = [part.first for part in self.sections]
        place = [part.title for part in self.sections].index(section)
        end = starts[place + 1] if place + 1 < len(starts) else self.sentences + 1
        within = (entry for entry in self.entries if starts[place] <= entry.sentence < end)
        return frozenset(rule for entry in within for rule in entry.rules or ())

    def section_of(self, sentence: int) -> str:
        """The title of the section with this sentence, by its ordinal."""
        return next(section.title for section in reversed(self.sections) if section.first <= sentence)

    def stating(self, rule: str) -> tuple[int, ...]:
        """The ordinals of the sentences that state a rule."""
        return tuple(entry.sentence for entry in self.entries if rule in (entry.rules or ()))

    def counts(self) -> Mapping[str, int]:
        """The numbers of sentences that are mapped to rules, to none and to later."""
        return {
            "rules": sum(entry.rules is not None for entry in self.entries),
            "none": sum(entry.none is not None for entry in self.entries),
            "later": sum(entry.later is not None for entry in self.entries),
        }

    def not_yet_covered(self) -> Counter[str]:
        """The mechanisms that later versions will cover, with the number of sentences about each."""
        return Counter(entry.later for entry in self.entries if entry.later is not None)


@dataclass(frozen=True)
class LedgerFile:
    """A ledger and the text it was read from, which knows the line of each entry."""

    ledger: Ledger
    text: YamlText

    def refuse(self, expected: str, *path: int | str) -> BadInput:
        """The error at a place of this file."""
        field = ".".join(map(str, path)) or None
        return BadInput(expected, file=self.text.file, line=self.text.line_of(path), field=field)


def ledgers(folder: Traversable | None = None) -> tuple[LedgerFile, ...]:
    """Every ledger below the spec folder, by document id; raises BadInput for a malformed one."""
    sources = (folder or spec_folder()).joinpath(SOURCES)
    names = sorted(entry.name for entry in sources.iterdir() if entry.name.endswith(".yaml"))
    return tuple(read_ledger(sources.joinpath(name).read_text(encoding="utf-8"), f"{SOURCES}/{name}") for name in names)


def read_ledger(text: str, file: str) -> LedgerFile:
    """One ledger from its YAML; raises BadInput naming file, line and field."""
    parsed = read_yaml(text, file)
    return LedgerFile(parsed.validated(Ledger), parsed)


def problems(files: tuple[LedgerFile, ...], rules: Mapping[str, Rule]) -> Iterator[BadInput]:
    """The errors that keep the ledgers from being complete and from agreeing with the rules; none if all is well."""
    for file in files:
        yield from _defects(file, rules)
    by_document = {file.ledger.document: file for file in files}
    for rule in rules.values():
        yield from _uncited(rule, by_document)


def _defects(file: LedgerFile, rules: Mapping[str, Rule]) -> Iterator[BadInput]:
    ledger = file.ledger
    if ledger.cut_by != RULE_NAME:
        yield file.refuse(f"expected {RULE_NAME}, the rule by which this version cuts sentences", "cut_by")
    if ledger.sentences != len(ledger.entries):
        yield file.refuse(f"expected as many entries as sentences, not {len(ledger.entries)}", "sentences")
    for place, section in enumerate(ledger.sections):
        earlier = ledger.sections[place - 1].first if place else 0
        if not earlier < section.first <= ledger.sentences:
            yield file.refuse("expected sections in order, within the document", "sections", place, "first")
    for place, entry in enumerate(ledger.entries):
        if entry.sentence != place + 1:
            yield file.refuse(f"expected sentence {place + 1}", "entries", place, "sentence")
        for position, rule_id in enumerate(entry.rules or ()):
            sources = rules[rule_id].sources if rule_id in rules else ()
            if ledger.document not in [source.document for source in sources]:
                yield file.refuse(
                    f"expected a rule that cites document {ledger.document}, not {rule_id}",
                    *("entries", place, "rules", position),
                )


def _uncited(rule: Rule, ledgers_by_document: Mapping[str, LedgerFile]) -> Iterator[BadInput]:
    for source in rule.sources:
        file = ledgers_by_document.get(source.document)
        known = [] if file is None else [section.title for section in file.ledger.sections]
        if file is None or source.section not in known:
            expected = f"expected a section of document {source.document} that its ledger knows"
        elif rule.id not in file.ledger.cited(source.section):
            expected = f"expected a sentence of {source.document}, {source.section!r}, mapped to {rule.id}"
        else:
            continue
        yield BadInput(expected, file=rule.chapter, line=rule.line, field="source")
