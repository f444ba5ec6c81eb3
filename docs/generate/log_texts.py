"""The texts of brokers and clients about blocked producers: their writers, versions, and the answers of `tidegate
why`."""

from collections.abc import Iterator, Sequence

from generate.markup import boxed, folded, literal, paragraphs, table
from tidegate.catalogue.log_texts import LogText, Writer, log_texts
from tidegate.record.counts import counted

ANCHOR = "texts-of-all-releases"
KINDS = {
    "blocked": "producers are blocked",
    "released": "producers are released",
    "rejected": "a message is rejected",
    "warning": "a limit is near",
    "level": "a figure",
}
"""What a text tells, by its kind, in the order of the page."""


def of_writers(names: Sequence[str]) -> str:
    """The texts of these writers: folded tables by kind, below the name of the writer where there are several."""
    return paragraphs(f"## Texts of all releases {{ #{ANCHOR} }}", *_parts(names))


def count(names: Sequence[str]) -> int:
    """The number of texts of these writers."""
    return sum(len(writer.texts) for writer in _writers(names))


def rows(names: Sequence[str]) -> Iterator[LogText]:
    """The texts of these writers, in the order of their files."""
    for writer in _writers(names):
        yield from writer.texts


def _writers(names: Sequence[str]) -> list[Writer]:
    """The writers of these names. KeyError for an unknown name."""
    found = {writer.broker: writer for writer in log_texts()}
    return [found[name] for name in names]


def _parts(names: Sequence[str]) -> Iterator[str]:
    for writer in _writers(names):
        if len(names) > 1:
            yield f"### Texts of {writer.broker}"
        yield boxed("texts", paragraphs(*_by_kind(writer)))


def _by_kind(writer: Writer) -> Iterator[str]:
    for kind, meaning in KINDS.items():
        of_kind = [row for row in writer.texts if row.kind == kind]
        rows = [(literal(row.text), row.versions, row.where, _answer(row)) for row in of_kind]
        if rows:
            shown = table(["text", "versions", "where", "answer"], rows)
            yield folded("abstract", f"{meaning[:1].upper()}{meaning[1:]}: {counted(len(rows), 'texts')}", shown)


def _answer(row: LogText) -> str:
    """The answer with its limit, or with the reason why there is none."""
    return f"{row.answer}: {literal(row.because or row.limit)}" if row.because or row.limit else row.answer
