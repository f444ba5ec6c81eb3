"""The chapters of the specification as pages: each rule is followed by its other forms."""

from collections.abc import Iterator, Mapping, Sequence

from generate.figures.shelf import of_chapter
from generate.sections import facts, other_forms
from tidegate.catalogue import Rule, catalogue
from tidegate.catalogue.shelf import INDEX, chapters, spec_folder

FENCE = "```"


def pages() -> Iterator[tuple[str, str]]:
    """The path below the docs folder and the Markdown of the index and of every chapter, in their order."""
    for chapter in (INDEX, *chapters(spec_folder())):
        text = spec_folder().joinpath(chapter).read_text(encoding="utf-8")
        rules = [rule for rule in catalogue().values() if rule.chapter == chapter]
        yield f"spec/{chapter}", enriched(text, rules, of_chapter(chapter))


def paths() -> list[str]:
    """The pages of the chapters, without the index."""
    return [f"spec/{chapter}" for chapter in chapters(spec_folder())]


def enriched(text: str, rules: Sequence[Rule], figures: str = "") -> str:
    """The chapter with its figures, an anchor on each rule, its facts as a table, and its other forms at its end.

    The figures stand where the chapter's first paragraphs end.
    """
    lines = text.splitlines()
    starts = {rule.line - 1: rule for rule in rules}
    return "\n".join(_enriched(lines, starts, figures)) + "\n"


def _enriched(lines: Sequence[str], starts: Mapping[int, Rule], figures: str) -> Iterator[str]:
    rule: Rule | None = None
    in_facts = in_fence = False
    for number, line in enumerate(lines):
        heading = not in_fence and line.startswith("#")
        if figures and number and (heading or line.startswith((FENCE, "|"))):
            yield from (figures, "")
            figures = ""
        if heading and rule is not None:
            yield from (other_forms(rule), "")
            rule = None
        if number in starts:
            rule = starts[number]
            yield f"{line} {{ #{rule.id} .rule }}"
            continue
        if rule is not None and line.startswith(f"{FENCE}yaml"):
            in_facts = True
            yield facts(rule)
        if line.startswith(FENCE):
            in_fence = not in_fence
        if not in_facts:
            yield line
        elif not in_fence:
            in_facts = False
    if rule is not None:
        yield from ("", other_forms(rule))
