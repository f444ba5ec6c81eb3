"""Cuts a source document into sentences, so that the ledger can account for each of them.

The rule, `RULE_NAME`, is deterministic and depends on the text only:

1. A document whose longest line has at most `WRAPPED_WIDTH` characters is hard-wrapped: there a line break
   counts as a space. In any other document each line is a separate block.
2. A blank line ends a block. The marker of a quotation (`>`) is removed first. Before a heading (`#`)
   and of a list entry (`-`, `*` or a bullet, then a space) a block begins; a heading and a line of
   configuration (it starts with `<`, or holds `=` and no space) are blocks of their own. The markers are removed.
3. Within a block, white space is collapsed, and a sentence ends at `.`, `!`, `?` or `:`, closing quotes and
   brackets included, where white space follows; also after the remains of stripped markup, `]]>`. It does not
   end there after a number that opens the block, after `e.g.` or `i.e.` in either case, after a colon that
   stands alone, or after `etc.` unless an upper-case letter follows.
4. A text without a letter is not a sentence.

A sentence's hash is the SHA-256 of its UTF-8 text after these steps, in hexadecimal.
"""

import hashlib
import re
from collections.abc import Iterator

RULE_NAME = "sentences-1"
"""The name of this rule; a ledger names the rule that cut its document."""
WRAPPED_WIDTH = 160
"""The longest line, in characters, that a hard-wrapped document may have."""

LIST_MARKER = re.compile(r"^[-*•]\s+")
SENTENCE_END = re.compile(r"""[.!?:]["'”’`)\]]*(?=\s)|\]\]>(?=\s)""")
NEVER_AN_END = ("e.g.", "i.e.")
CONTINUES_BEFORE_LOWER_CASE = "etc."
OPENING_NUMBER = re.compile(r"\d+\.$")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a document in their order, white space collapsed; none for a text without a letter."""
    return tuple(
        sentence
        for block in _blocks(text)
        for sentence in _cut(" ".join(block.split()))
        if any(character.isalpha() for character in sentence)
    )


def fingerprint(sentence: str) -> str:
    """The SHA-256 of a sentence in hexadecimal: 64 characters."""
    return hashlib.sha256(sentence.encode()).hexdigest()


def _blocks(text: str) -> Iterator[str]:
    lines = text.splitlines()
    wrapped = max(map(len, lines), default=0) <= WRAPPED_WIDTH
    block: list[str] = []
    for raw in lines:
        line = raw.strip().removeprefix(">").strip()
        heading = line.startswith("#")
        alone = not wrapped or heading or _is_configuration(line)
        if block and (not line or alone or LIST_MARKER.match(line)):
            yield " ".join(block)
            block = []
        bare = line.lstrip("#").strip() if heading else LIST_MARKER.sub("", line)
        if alone:
            yield bare
        elif line:
            block.append(bare)
    yield " ".join(block)


def _is_configuration(line: str) -> bool:
    return line.startswith("<") or ("=" in line and " " not in line)


def _cut(block: str) -> Iterator[str]:
    start = 0
    for end in SENTENCE_END.finditer(block):
        if _ends_a_sentence(block[start : end.end()], block[end.end() :].lstrip(), opens_block=start == 0):
            yield block[start : end.end()].strip()
            start = end.end()
    yield block[start:].strip()


def _ends_a_sentence(candidate: str, rest: str, *, opens_block: bool) -> bool:
    if candidate.lower().endswith(NEVER_AN_END) or candidate.endswith(" :"):
        return False
    if candidate.endswith(CONTINUES_BEFORE_LOWER_CASE):
        return rest[:1].isupper()
    return not (opens_block and OPENING_NUMBER.match(candidate.strip()))
