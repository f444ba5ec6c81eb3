"""Fills in placeholders of a configuration: ${name}, ${name:default}, and @NAME@ of templates. Other files have their
values.

Templates of Helm, Jinja and Ansible are converted to the first form, so that readers of files know only one form.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

TEMPLATE = "template"
"""The name that an element gets if a template inserts its name."""
_PLACEHOLDER = re.compile(r"\$\{([^${}]*)\}")
_OF_A_TEMPLATE = re.compile(r"@(\w+)@")
_OF_SPRING = re.compile(r"#\{[^{}]*\}")
_OF_A_BLUEPRINT = re.compile(r"\$\[([^\[\]]*)\]")
_DOUBLE = re.compile(r"\{\{(.*?)\}\}|\{%.*?%\}", re.DOTALL)
_ERB = re.compile(r"<%(=?)(.*?)-?%>", re.DOTALL)
_OR = re.compile(r"@?(?P<name>[\w.]+)\s*(?:\|\||\bor\b)\s*(?P<quote>[\"']?)(?P<default>\d[\w. ]*|true|false)(?P=quote)")
"""What Ruby inserts where a value may be missing, with a literal in its place."""
_OF_A_SHELL = re.compile(r"(?:^|(?<=[\s=:]))\$(?:\((\w+)\)|([A-Za-z_]\w*))")
_OF_A_SCRIPT = re.compile(r"%+(\w+)%+|__([A-Z]\w*?)__")
_OF_AN_IMAGE = re.compile(r"#{2,}\s*(\w+)\s*#{2,}")
_IS_FREEMARKER = re.compile(r"\s*[\[<]#ftl\b|[\[<]/#(?:if|list|noparse)[\]>]")
_OF_FREEMARKER = re.compile(r"[\[<]/?[#@][A-Za-z][^\]>]*[\]>]|\$\{(?P<name>[\w.]+)!\"?(?P<default>[^}\"]*)\"?\}")
_MACRO = re.compile(r"\{%-?\s*macro\b.*?\{%-?\s*endmacro\s*-?%\}|\{#.*?#\}", re.DOTALL)
_VALUE = re.compile(
    r"-?\s*(?P<name>[.$\w]+)\s*(?:\|.*?\bdefault\b\s*\(?\s*(?P<quote>[\"']?)(?P<default>[^\"'|)]*).*|\|.*)?-?",
    re.DOTALL,
)
_DEFAULT_FIRST = re.compile(r"-?\s*default\s+(?P<quote>[\"']?)(?P<default>[^\"'\s]+)[\"']?\s")
_LITERAL = re.compile(r"-?\d[\w.]*(?:\s?\w+)?|true|false", re.IGNORECASE)
"""A default without quotation marks that is a value, not the name of another one."""
_ATTRIBUTE = re.compile(r"\s[\w:-]+=$")
"""The text in front of an attribute's value that the template itself puts into quotation marks."""
_CONTROL = re.compile(
    r"-?\s*(?:/\*|#|(?:if|else|end|range|with|define|include|template|block|for|endif|endfor)\b)", re.DOTALL
)


@dataclass(frozen=True)
class Filled:
    """A text with the defaults of its placeholders filled in; `text` is None if a placeholder has no default."""

    text: str | None
    names: tuple[str, ...]
    """The names of its placeholders."""


def filled(text: str) -> Filled:
    """Fill in the default behind the first colon of each placeholder, innermost first.

    A shell writes ${name:-default}: the dash belongs to the shell, except in -1, which means no limit.
    """
    names = [*_OF_A_TEMPLATE.findall(text), *_OF_SPRING.findall(text)]
    names += _OF_AN_IMAGE.findall(text)
    names += [one or other for pattern in (_OF_A_SHELL, _OF_A_SCRIPT) for one, other in pattern.findall(text)]
    unknown = bool(names)
    while found := _PLACEHOLDER.search(text):
        name, colon, default = found[1].partition(":")
        names.append(name)
        unknown |= not colon
        if default.startswith("-") and default != "-1":
            default = default[1:]
        text = text[: found.start()] + default + text[found.end() :]
    return Filled(None if unknown else text, tuple(names))


def with_values(text: str, values: Mapping[str, str]) -> str:
    """The text with known values in place of placeholders; every line keeps its number."""
    if not values:
        return text
    return _PLACEHOLDER.sub(lambda found: values.get(found[1].partition(":")[0].strip(), found[0]), text)


def in_xml(values: Mapping[str, str]) -> dict[str, str]:
    """Values as they stand in XML, where & and < and quotation marks have meanings of their own."""
    return {key: escape(value, {'"': "&quot;"}) for key, value in values.items()}


def without_templates(text: str) -> str:
    """The text with {{ … }} and <%= … %> of templates as ${ … }, and without their conditions and directives; lines
    keep their numbers."""
    text = _MACRO.sub(_lines, text)
    if _IS_FREEMARKER.search(text):
        text = _OF_FREEMARKER.sub(_of_freemarker, text)
    if 'prefix="$["' in text:
        text = _OF_A_BLUEPRINT.sub(r"${\1}", text)
    if "<%" in text:
        text = _ERB.sub(_of_erb, text)
    return _DOUBLE.sub(_as_placeholder, text) if "{{" in text or "{%" in text else text


def _lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _of_freemarker(found: re.Match[str]) -> str:
    """A directive becomes empty, and ${name!default} has its default behind a colon."""
    return _lines(found) if found["name"] is None else "${" + f"{found['name']}:{found['default']}" + "}"


def _of_erb(found: re.Match[str]) -> str:
    """An insertion of a Ruby or Puppet template as ${ … }; conditions and loops become empty."""
    lines = "\n" * found[0].count("\n")
    if found[1] and (other := _OR.fullmatch(found[2].strip())):
        return "${" + f"{other['name']}:{other['default']}" + "}" + lines
    names = re.findall(r"\w+", found[2])
    name = names[-1] if names else "template"
    return ("${" + name + "}" if found[1] else "") + lines


def _as_placeholder(found: re.Match[str]) -> str:
    lines = "\n" * found[0].count("\n")
    inside, before = found[1], found.string[max(0, found.start() - 60) : found.start()]
    if before.endswith(("<", "</")):
        return TEMPLATE + lines  # the name of an element
    if inside is not None and _ATTRIBUTE.search(before):
        return f'"{_placeholder(inside)}"' + lines
    if inside is None or _CONTROL.match(inside):
        return lines
    return _placeholder(inside) + lines


def _placeholder(inside: str) -> str:
    if first := _DEFAULT_FIRST.match(inside):
        return "${template:" + first["default"] + "}" if _is_literal(first) else "${template}"
    value = _VALUE.fullmatch(inside.strip())
    if value is None:
        return "${template}"
    default = value["default"] if _is_literal(value) else None
    return "${" + value["name"] + (f":{default.strip()}" if default is not None else "") + "}"


def _is_literal(found: re.Match[str]) -> bool:
    """Whether a template's default is a value itself."""
    return bool(found["quote"]) or _LITERAL.fullmatch((found["default"] or "").strip()) is not None
