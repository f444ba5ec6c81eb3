"""Reads included files from the configuration's folder or below it, and names the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tidegate.explain.placeholders import filled, in_xml, with_values, without_templates
from tidegate.explain.read.artemis_properties import properties_of
from tidegate.explain.read.spring import properties_of_spring
from tidegate.explain.read.xml_tree import Element, parse_xml, read_bytes
from tidegate.record.errors import BadInput

DEEPEST = 8
"""The most levels of nested includes."""
_INCLUDES = {"include": "href", "import": "resource"}
"""By element of XInclude and of Spring, the attribute that names the file."""


@dataclass
class Parts:
    """The texts that stand beside each other in one file, such as a ConfigMap, with their first lines."""

    texts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """By name, where only one text has it."""
    included: set[str] = field(default_factory=set)
    """The names of the texts that another one includes."""
    broken: list[BadInput] = field(default_factory=list)
    """The errors of files and texts that are included and are no XML."""


def with_includes(root: Element, path: Path, values: Mapping[str, str], parts: Parts, depth: int = 0) -> Iterator[str]:
    """Replace each include by the file or part that it names; yield a note for each file that is not read."""
    placed: list[Element] = []
    for child in root.children:
        named = child.attributes.get(_INCLUDES.get(child.name, ""), "")
        if not named:
            yield from with_includes(child, path, values, parts, depth)
            placed.append(child)
            continue
        word = "imported" if child.name == "import" else "included"
        target = _beside(path, named)
        if target is None and (target := _of_hidden_folder(path, named)) is not None:
            folder = named.rpartition("/")[0]
            says = "is a placeholder: included files are read from the folder of this file"
            yield f"{child.file}: the folder {folder} {says}"
        name = named.rpartition("/")[2]
        if target is None and name in parts.texts and depth < DEEPEST:
            parts.included.add(name)
            text, line = parts.texts[name]
            part = _parsed(text, child.file, line, parts)
            if part is None:
                placed.append(child)
                continue
            yield from with_includes(part, path, values, parts, depth + 1)
            placed += part.children if child.name == "import" else [part]
            continue
        fallback = child.child("fallback")
        if target is None and fallback is not None and depth < DEEPEST:
            yield f"{child.file}:{child.line}: {named} does not lie beside this file: its fallback is taken"
            yield from with_includes(fallback, path, values, parts, depth + 1)
            placed += fallback.children
            continue
        if target is None or depth >= DEEPEST:
            yield f"{child.file}:{child.line}: {named} is {word} here and was not read: its settings are not known"
            placed.append(child)
            continue
        file = str(Path(child.file).parent / target.relative_to(path.parent.resolve()))
        text = read_bytes(target, file).decode("utf-8-sig", "replace")
        found = _parsed(with_values(without_templates(text), in_xml(values)), file, 1, parts)
        if found is None:
            placed.append(child)
            continue
        yield from with_includes(found, target, values, parts, depth + 1)
        placed += found.children if child.name == "import" else [found]
    root.children[:] = placed


def _parsed(text: str, file: str, line: int, parts: Parts) -> Element | None:
    """The root of an included text; None, with its error among the parts, if it is no XML."""
    try:
        return parse_xml(text, file, line)
    except BadInput as error:
        parts.broken.append(error)
        return None


def values_beside(root: Element, path: Path) -> dict[str, str]:
    """The values of placeholders from property files that a Spring file names, if they lie beside it or below."""
    found: dict[str, str] = {}
    for named in properties_of_spring(root):
        target = _beside(path, named) or _beside(path, named.rpartition("/")[2])
        if target is not None and target.suffix == ".properties":
            text = read_bytes(target, target.name).decode("utf-8-sig", "replace")
            found |= {".".join(words): value for words, value, _ in properties_of(text, target.name)}
    return found


def _of_hidden_folder(path: Path, named: str) -> Path | None:
    """A file in this folder with the name of an include, if the include's folder is a placeholder; else None."""
    folder, _, name = named.rpartition("/")
    return _beside(path, name) if "${" in folder and filled(folder).text is None else None


def _beside(path: Path, named: str) -> Path | None:
    """The named file in the folder of `path` or below it; None if there is none."""
    name = filled(named).text
    if name is None or "://" in name:
        return None
    for prefix in ("classpath*:", "classpath:", "file:"):
        name = name.removeprefix(prefix)
    folder = path.parent.resolve()
    try:
        target = (folder / name).resolve()
        is_there = target.is_relative_to(folder) and target.is_file() and target != path.resolve()
    except (OSError, ValueError):
        return None
    return target if is_there else None
