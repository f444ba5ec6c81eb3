"""The templates of a page, with what all pages share; all that a page quotes is escaped."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jinja2
from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from tidegate.record.cache import keep, kept

_FIGURE = re.compile(r"(?<![\w.-])-?\d(?:[\d,]*\d)?(?:\.\d+)?(?!\w)")
_ODD_FIGURE = re.compile(rf"(?P<odd>\S+ ✗)|{_FIGURE.pattern}")
_CODE = re.compile(r"`([^`]+)`")


def environment(package: str) -> Environment:
    """The templates of a package and the shared ones (style.css), with filters for texts."""
    templates = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("tidegate.pages")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_Compiled(),
    )
    templates.filters.update(figures=figures, odd_figures=odd_figures, prose=prose, slug=slug)
    return templates


class _Compiled(BytecodeCache):
    """Templates as Python, which takes longer to make than most pages.

    It depends on the options above, so that a change of this file makes all of them anew.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        found = kept("templates", self._sources(bucket))
        if found is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        keep("templates", self._sources(bucket), bucket.bytecode_to_string())

    def _sources(self, bucket: Bucket) -> tuple[bytes, ...]:
        return (_compiler(), bucket.key.encode(), bucket.checksum.encode())


@cache
def _compiler() -> bytes:
    return jinja2.__version__.encode() + Path(__file__).read_bytes()


def figures(text: str) -> Markup:
    """The text with each of its numbers marked, so that two of them are compared at a glance."""
    return _marked(text, _FIGURE, Markup("<b class='figure'>{}</b>"))


def odd_figures(text: str) -> Markup:
    """The text, with each figure marked that a cross says is not as documented."""
    mark = Markup("<b class='figure{}'>{}</b>")
    return _replaced(text, _ODD_FIGURE, lambda found: mark.format(" odd" if found["odd"] else "", found[0]))


def prose(text: str) -> Markup:
    """A sentence of the specification, with what stands in backticks as code."""
    return _marked(text, _CODE, Markup("<code>{}</code>"))


def _marked(text: str, pattern: re.Pattern[str], mark: Markup) -> Markup:
    return _replaced(text, pattern, lambda found: mark.format(found.group(found.lastindex or 0)))


def _replaced(text: str, pattern: re.Pattern[str], marked: Callable[[re.Match[str]], Markup]) -> Markup:
    parts: list[Markup] = []
    end = 0
    for found in pattern.finditer(text):
        parts += [escape(text[end : found.start()]), marked(found)]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


def slug(text: str) -> str:
    """The text as a class name or an anchor."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", text)
