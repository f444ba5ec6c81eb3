"""Compares the ledgers with the texts of the documents, where these are at hand, and begins a ledger."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tidegate.catalogue.ledger import LedgerFile
from tidegate.catalogue.sentences import RULE_NAME, fingerprint, sentences
from tidegate.record.errors import BadInput


def document_path(document: str, directory: Path) -> Path:
    """The text of a document: `ID_*.clean.txt`, or else `ID_*.txt` or `ID.txt`; raises BadInput unless one is there."""
    for pattern in (f"{document}_*.clean.txt", f"{document}_*.txt", f"{document}.txt"):
        found = sorted(directory.glob(pattern))
        if len(found) == 1:
            return found[0]
        if found:
            raise BadInput(f"expected one file {pattern}, found {len(found)}", file=directory)
    raise BadInput(f"expected the text of document {document} as {document}.txt or {document}_*.txt", file=directory)


def read_document(path: Path) -> tuple[str, ...]:
    """The sentences of a document on disk; raises BadInput when it cannot be read as UTF-8."""
    try:
        return sentences(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"expected a readable UTF-8 text ({error})", file=path) from error


def quoted(rule: str, files: Iterable[LedgerFile], directory: Path) -> Iterator[tuple[str, int, str]]:
    """The sentences that state a rule, from the reader's own copies: document, ordinal and text.

    A sentence is found by its hash, since a copy may have further sentences before it. Raises BadInput where a copy is
    missing or lacks the sentence.
    """
    for file in files:
        ordinals = file.ledger.stating(rule)
        found = read_document(path := document_path(file.ledger.document, directory)) if ordinals else ()
        by_hash = {fingerprint(text): text for text in found}
        for ordinal in ordinals:
            text = by_hash.get(file.ledger.entries[ordinal - 1].sha256)
            if text is None:
                has = f"is {found[ordinal - 1]!r}" if ordinal <= len(found) else f"is not there, of {len(found)}"
                raise BadInput(
                    f"expected sentence {ordinal} of the ledger; sentence {ordinal} of this copy {has}", file=path
                )
            yield file.ledger.document, ordinal, text


def differences(file: LedgerFile, directory: Path) -> Iterator[BadInput]:
    """The differences between a ledger and the text of its document: the number of sentences, or a hash."""
    found = read_document(document_path(file.ledger.document, directory))
    if len(found) != file.ledger.sentences:
        yield file.refuse(f"expected {len(found)}, as many as the document has", "sentences")
    for place, (entry, sentence) in enumerate(zip(file.ledger.entries, found, strict=False)):
        if entry.sha256 != fingerprint(sentence):
            yield file.refuse(f"expected the hash of sentence {place + 1}", "entries", place, "sha256")


def skeleton(path: Path, document: str) -> str:
    """A ledger in YAML for a document, each sentence with its hash and without a fate yet."""
    found = read_document(path)
    head = [
        *(f'document: "{document}"', "about: TODO", "title: TODO", "address: TODO", f"cut_by: {RULE_NAME}"),
        *("sections:", "  - {title: TODO, first: 1}", f"sentences: {len(found)}", "entries:"),
    ]
    entries = (
        f'  - {{sentence: {ordinal}, sha256: "{fingerprint(sentence)}"}}'
        for ordinal, sentence in enumerate(found, start=1)
    )
    return "\n".join([*head, *entries]) + "\n"
