"""Reads one chapter: cuts its Markdown into sections, checks each, and turns it into a rule.

A section opens with a heading of the third level, `ID · Title`, and goes on with one block quote (the
sentence), one fenced yaml block, and prose that begins with a paragraph **Why.** Headings of other levels
hold no rules.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tidegate.catalogue.block import Block
from tidegate.catalogue.obligations import OWED
from tidegate.catalogue.rules import Form, Level, Rule, Source
from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.record.errors import BadInput

HEADING = re.compile(r"(?P<id>[A-Z]+(?:-[A-Z]+)*-[1-9]\d*) · (?P<title>\S.*)")
KEYWORD = re.compile(r"\b(MUST|SHOULD|MAY)\b")


@dataclass(frozen=True)
class _Section:
    heading: str
    tokens: Sequence[Token]
    line: int
    end: int


def read_chapter(text: str, chapter: str) -> tuple[Rule, ...]:
    """The rules of one chapter in their order; raises BadInput where a section breaks the shape."""
    tokens = _blocks().parse(text)
    lines = text.splitlines()
    return tuple(_rule(section, lines, chapter) for section in _sections(tokens, len(lines)))


@cache
def _blocks() -> MarkdownIt:
    """The parser of a text into blocks; it leaves the text within a block unparsed, since nothing here needs it."""
    return MarkdownIt("commonmark").disable("inline")


def _sections(tokens: Sequence[Token], line_count: int) -> Iterator[_Section]:
    starts = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if tokens[start].tag == "h3":
            end_line = _line(tokens[end]) - 1 if end < len(tokens) else line_count
            yield _Section(tokens[start + 1].content, tokens[start + 3 : end], _line(tokens[start]), end_line)


def _rule(section: _Section, lines: Sequence[str], chapter: str) -> Rule:
    heading = HEADING.fullmatch(section.heading)
    if heading is None:
        raise BadInput("expected a heading 'ID · Title'", file=chapter, line=section.line)
    sentence, sentence_line, rest = _sentence(section, chapter)
    document, body_start = _block(rest, section, chapter)
    block = document.validated(Block)
    _check(block, sentence, sentence_line, document)
    body = "\n".join(lines[body_start : section.end]).strip()
    if not body.startswith("**Why.**"):
        raise BadInput("expected a paragraph '**Why.** …'", file=chapter, line=body_start + 1)
    return Rule(
        id=heading["id"],
        title=heading["title"],
        level=block.level,
        sentence=sentence,
        category=block.category,
        needs=tuple(block.needs),
        since=block.since,
        sources=tuple(Source(cited.document, cited.section) for cited in block.source),
        defined_by=block.defined_by[0] if block.defined_by else None,
        steps=tuple(block.defined_by[1:]),
        waives=block.waives,
        speaks_of=tuple(block.speaks_of),
        body=body,
        chapter=chapter,
        line=section.line,
    )


def _sentence(section: _Section, chapter: str) -> tuple[str, int, Sequence[Token]]:
    kinds = [token.type for token in section.tokens[:5]]
    if kinds != ["blockquote_open", "paragraph_open", "inline", "paragraph_close", "blockquote_close"]:
        raise BadInput("expected the rule's sentence as a block quote", file=chapter, line=section.line + 1)
    quoted = section.tokens[2]
    return " ".join(quoted.content.split()), _line(quoted), section.tokens[5:]


def _block(tokens: Sequence[Token], section: _Section, chapter: str) -> tuple[YamlText, int]:
    fence = tokens[0] if tokens else None
    if fence is None or fence.type != "fence" or fence.info.strip() != "yaml" or fence.map is None:
        line = _line(fence) if fence and fence.map else section.line
        raise BadInput("expected a fenced yaml block after the sentence", file=chapter, line=line)
    return read_yaml(fence.content, chapter, fence.map[0] + 2), fence.map[1]


def _check(block: Block, sentence: str, sentence_line: int, document: YamlText) -> None:
    def refuse(expected: str, field: str) -> BadInput:
        return BadInput(expected, file=document.file, line=document.line_of([field]), field=field)

    if KEYWORD.findall(sentence) != [block.level] or not sentence.endswith("."):
        raise BadInput(
            f"expected one sentence with {block.level} once and no other of MUST, SHOULD and MAY",
            file=document.file,
            line=sentence_line,
        )
    if not block.source and block.level is Level.MUST:
        raise refuse("expected a source, as only a document can say MUST", "source")
    owed = OWED[block.category]
    for form in block.waives:
        if form not in owed:
            raise refuse(f"expected forms that a {block.category} owes, not {form}", "waives")
    if Form.DEFINITION in owed and (Form.DEFINITION in block.waives) == bool(block.defined_by):
        expected = "nothing beside a waived definition" if block.defined_by else "module:name"
        raise refuse(f"expected {expected} for a {block.category}", "defined_by")


def _line(token: Token) -> int:
    if token.map is None:
        raise ValueError(f"the Markdown parser gave no line for {token.type}")
    return token.map[0] + 1
