"""The fate of every sentence of the source documents."""

from collections import Counter
from collections.abc import Iterator

from generate.markup import paragraphs, table
from tidegate.catalogue.ledger import Ledger, ledgers
from tidegate.record.counts import counted


def documents() -> str:
    """The documents with their counts, then each document section by section."""
    files = [file.ledger for file in ledgers()]
    rows = [_counts(ledger) for ledger in files]
    heads = ["document", "about", "sentences", "state rules", "no rule", "not covered"]
    return paragraphs(table(heads, rows), *(part for ledger in files for part in _document(ledger)))


def _counts(ledger: Ledger) -> tuple[str, ...]:
    numbers = (ledger.sentences, *ledger.counts().values())
    return f"[{ledger.document}](#document-{ledger.document})", ledger.about, *map(str, numbers)


def _document(ledger: Ledger) -> Iterator[str]:
    about = ledger.about[:1].upper() + ledger.about[1:]
    yield f"## Document {ledger.document}\n\n{about}: [{ledger.title}]({ledger.address})."
    yield table(["section", "sentences", "rules", "no rule", "not covered"], list(_sections(ledger)))


def _sections(ledger: Ledger) -> Iterator[tuple[str, ...]]:
    ends = [section.first for section in ledger.sections[1:]] + [ledger.sentences + 1]
    for section, end in zip(ledger.sections, ends, strict=True):
        within = [entry for entry in ledger.entries if section.first <= entry.sentence < end]
        rules = dict.fromkeys(rule for entry in within for rule in entry.rules or ())
        yield (
            section.title,
            f"{section.first} to {end - 1}",
            ", ".join(rules),
            _counted(Counter(entry.none for entry in within if entry.none)),
            _counted(Counter(entry.later for entry in within if entry.later)),
        )


def _counted(reasons: Counter[str]) -> str:
    return ", ".join(f"{reason} ({counted(count, 'sentences')})" for reason, count in reasons.items())
