"""Tells which of many texts a line has, in one pass over the line: every line of a log is searched for hundreds."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

LENGTH = 4
"""The number of characters that are looked up at once."""
STRIDE = 4
"""Every so many characters of a line are looked up: a text of at least `LONG` characters meets one of these places."""
LONG = LENGTH + STRIDE - 1
CHUNKS = re.compile(rf".{{{LENGTH}}}", re.DOTALL)
"""A line in chunks, one behind the other."""
USUAL = {each: place for place, each in enumerate("etaoinsrhldcumfpgwybvkxjqz ETAOINSRHLDCUMFPGWYBVKXJQZ")}
"""The characters of English texts, the most frequent first; any other character is rarer."""


class Needles:
    """Texts to look for. Those that are shorter than `LONG` are searched one by one."""

    def __init__(self, texts: Iterable[str]) -> None:
        by_chunk: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        self._short: list[str] = []
        for text in dict.fromkeys(texts):
            if len(text) < LONG:
                self._short.append(text)
            for chunk in dict.fromkeys(_rarest(text)):
                by_chunk[chunk] += (text,)
        self._by_chunk = dict(by_chunk)
        self._chunks = frozenset(by_chunk)

    def found(self, line: str) -> Iterator[str]:
        """The texts that a line has, each once or more often."""
        for text in self._short:
            if text in line:
                yield text
        chunks = CHUNKS.findall(line)
        if self._chunks.isdisjoint(chunks):
            return
        for chunk in self._chunks.intersection(chunks):
            for text in self._by_chunk[chunk]:
                if text in line:
                    yield text

    def any(self, line: str) -> bool:
        """Whether a line has one of the texts."""
        return next(self.found(line), None) is not None


def _rarest(text: str) -> list[str]:
    """The chunks of a text of which one is met wherever the text stands in a line: a few in a row, as rare as any."""
    rare = [USUAL.get(each, len(USUAL)) for each in text]
    chunks = [sum(rare[place : place + LENGTH]) for place in range(len(text) - LENGTH + 1)]
    rows = range(len(chunks) - STRIDE + 1)
    best = max(rows, key=lambda place: min(chunks[place : place + STRIDE]), default=None)
    return [] if best is None else [text[place : place + LENGTH] for place in range(best, best + STRIDE)]
