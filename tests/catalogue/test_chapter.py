"""What a section may look like, and how each departure from its shape is reported."""

import pytest

from tidegate.catalogue.chapter import read_chapter
from tidegate.catalogue.rules import Category, Form, Level, Source
from tidegate.record.errors import BadInput, ExitCode

SECTION = """\
# A chapter

### QPID-QUEUE-1 · Overfull

> The broker MUST treat a queue
> as overfull.

```yaml
level: MUST
category: boundary
needs: [queue-gate]
since: {broker: "0.6"}
source:
  - {document: "000", section: Queues}
defined_by: tidegate.model.mechanisms.qpid:overfull
```

**Why.** Because.

**Open.** Nothing.

## Another heading

Text that belongs to no rule.
"""


def test_a_section_becomes_a_rule() -> None:
    (rule,) = read_chapter(SECTION, "qpid/queue.md")
    assert (rule.id, rule.title) == ("QPID-QUEUE-1", "Overfull")
    assert rule.sentence == "The broker MUST treat a queue as overfull."
    assert (rule.level, rule.category) == (Level.MUST, Category.BOUNDARY)
    assert rule.needs == ("queue-gate",)
    assert rule.since == {"broker": "0.6"}
    assert rule.sources == (Source("000", "Queues"),)
    assert rule.defined_by == "tidegate.model.mechanisms.qpid:overfull"
    assert rule.body == "**Why.** Because.\n\n**Open.** Nothing."
    assert (rule.chapter, rule.line) == ("qpid/queue.md", 3)


def test_a_chapter_without_sections_of_the_third_level_has_no_rules() -> None:
    assert read_chapter("# Title\n\n## Part\n\nText.\n", "text.md") == ()


def test_a_waived_definition_is_not_demanded() -> None:
    text = SECTION.replace("defined_by: tidegate.model.mechanisms.qpid:overfull", "waives: {definition: it is plain}")
    (rule,) = read_chapter(text, "c.md")
    assert rule.waives == {Form.DEFINITION: "it is plain"}


@pytest.mark.parametrize(
    ("written", "instead", "line", "field"),
    [
        ("QPID-QUEUE-1 · Overfull", "QPID-QUEUE-1: Overfull", 3, None),
        ("QPID-QUEUE-1 · Overfull", "qpid-queue-1 · Overfull", 3, None),
        ("QPID-QUEUE-1 · Overfull", "QPID-QUEUE-01 · Overfull", 3, None),
        ("> The broker MUST treat a queue\n> as overfull.", "The broker MUST treat it.", 4, None),
        ("MUST treat", "SHOULD treat", 5, None),
        ("MUST treat", "MUST treat and MUST call", 5, None),
        ("as overfull.", "as overfull", 5, None),
        ("```yaml", "```json", 8, None),
        ("level: MUST", "level: WILL", 9, "level"),
        ("level: MUST\n", "", 9, "level"),
        ("category: boundary", "category: border", 10, "category"),
        ("[queue-gate]", "[Queue Gate]", 11, "needs.0"),
        ('{broker: "0.6"}', "{broker: 0.6}", 12, "since.broker"),
        ('document: "000", ', "", 14, "source.0.document"),
        ('"000"', '"0"', 14, "source.0.document"),
        ("section: Queues", 'section: ""', 14, "source.0.section"),
        ('\n  - {document: "000", section: Queues}', " []", 13, "source"),
        ("tidegate.model.mechanisms.qpid:overfull", "overfull", 15, "defined_by.0"),
        ("defined_by: tidegate.model.mechanisms.qpid:overfull\n", "", 9, "defined_by"),
        ("defined_by:", "waives: {definition: plain}\ndefined_by:", 16, "defined_by"),
        ("defined_by: tidegate.model.mechanisms.qpid:overfull", "defined_by: []", 15, "defined_by"),
        ("defined_by: tidegate.model.mechanisms.qpid:overfull", "defined_by: [gate]", 15, "defined_by.0"),
        ("defined_by:", "waives: {log: none}\ndefined_by:", 15, "waives"),
        ("defined_by:", "waives: {proof: ''}\ndefined_by:", 15, "waives.proof"),
        ("needs:", "unknown: 1\nneeds:", 11, "unknown"),
        ("needs:", "level: MAY\nneeds:", 11, "level"),
        ("[queue-gate]", "[queue-gate", 12, None),
        ("**Why.** Because.", "Because.", 17, None),
    ],
)
def test_a_departure_names_file_line_and_field(written: str, instead: str, line: int, field: str | None) -> None:
    assert written in SECTION
    with pytest.raises(BadInput) as refused:
        read_chapter(SECTION.replace(written, instead, 1), "qpid/queue.md")
    assert (refused.value.file, refused.value.line, refused.value.field) == ("qpid/queue.md", line, field)
    assert refused.value.exit_code is ExitCode.BAD_INPUT
