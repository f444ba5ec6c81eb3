"""Reads included files from the configuration's folder or below it, and names the others."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tidegate.explain.placeholders import filled, with_values, without_templates
from tidegate.explain.read.artemis_properties import properties_of
from tidegate.explain.read.spring import properties_of_spring
from tidegate.explain.read.xml_tree import Element, parse_xml, read_bytes

DEEPEST = 8
"""The most levels of nested includes."""
_INCLUDES = {"include": "href", "import": "resource"}
"""By element of XInclude and of Spring, the attribute that names the file."""


def with_includes(root: Element, path: Path, values: Mapping[str, str], depth: int = 0) -> Iterator[str]:
    """Replace includes by what they include; a note for each file that is not read."""
    placed: list[Element] = []
    for child in root.children:
        named = child.attributes.get(_INCLUDES.get(child.name, ""), "")
        if not named:
            yield from with_includes(child, path, values, depth)
            placed.append(child)
            continue
        word = "imported" if child.name == "import" else "included"
        target = _beside(path, named)
        if target is None and (target := _of_hidden_folder(path, named)) is not None:
            folder = named.rpartition("/")[0]
            says = "is a placeholder: included files are read from the folder of this file"
            yield f"{child.file}: the folder {folder} {says}"
        if target is None or depth >= DEEPEST:
            yield f"{child.file}:{child.line}: {named} is {word} here and was not read: its settings are not known"
            placed.append(child)
            continue
        file = str(Path(child.file).parent / target.relative_to(path.parent.resolve()))
        text = read_bytes(target, file).decode("utf-8-sig", "replace")
        found = parse_xml(with_values(without_templates(text), values), file)
        yield from with_includes(found, target, values, depth + 1)
        placed += found.children if child.name == "import" else [found]
    root.children[:] = placed


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
