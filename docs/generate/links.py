"""Turns ids of rules and claims in running text into links."""

from collections.abc import Mapping
from re import Match
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

ID = r"\b([A-Z]+(?:-[A-Z]+)*-[TR]?[1-9]\d*)\b"
AFTER_LINKS_AND_CODE = 30


class IdLinks(Extension):
    """Links every known id; `targets` maps an id to a path from the docs folder with its anchor."""

    def __init__(self, targets: Mapping[str, str]):
        super().__init__()
        self._targets = targets

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the library's name)
        """Register the pattern."""
        md.inlinePatterns.register(_IdPattern(ID, self._targets), "tidegate-ids", AFTER_LINKS_AND_CODE)


class _IdPattern(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a", "h1", "h2", "h3", "h4")

    def __init__(self, pattern: str, targets: Mapping[str, str]):
        super().__init__(pattern)
        self._targets = targets

    def handleMatch(  # noqa: N802 (the library's name)
        self, m: Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        """A link; nothing if the text only looks like an id."""
        target = self._targets.get(m[1])
        if target is None:
            return None, None, None
        link = Element("a", {"href": target})
        link.text = m[1]
        return link, m.start(0), m.end(0)
