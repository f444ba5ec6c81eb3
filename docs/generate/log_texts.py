"""The texts of brokers and clients about blocked producers: their writers, versions, and the answers of `tidegate
why`."""

from collections.abc import Iterator

from generate.markup import boxed, literal, paragraphs, table
from tidegate.catalogue.log_texts import LogText, log_texts


def by_broker() -> str:
    """For each broker or group of clients a table of its texts."""
    return paragraphs(*_parts())


def _parts() -> Iterator[str]:
    for writer in log_texts():
        rows = [(literal(row.text), row.versions, row.where, row.kind, _answer(row)) for row in writer.texts]
        yield f"### {writer.broker}"
        yield boxed("texts", table(["text", "versions", "where", "kind", "answer"], rows))


def _answer(row: LogText) -> str:
    """The answer with its limit, or with the reason why there is none."""
    return f"{row.answer}: {literal(row.because or row.limit)}" if row.because or row.limit else row.answer
