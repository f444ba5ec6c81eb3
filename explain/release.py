"""Finds the release that reads a file: by the file itself, or by files beside it such as a Dockerfile or a chart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.read.classic import REMOVED_IN
from tidegate.explain.read.qpid_file import WITHOUT_OLD_NAMES, QpidFile
from tidegate.explain.read.reading import Read
from tidegate.explain.versions import ARTEMIS, CLASSIC, QPID, is_before, releases

_RELEASE = r"v?(\d+\.\d+(?:\.\d+)?)(?![\d.]*\d)(?![\w.-]*SNAPSHOT)"
_NAMES = {
    ARTEMIS: r"artemis",
    CLASSIC: r"activemq(?![\w-]*artemis)(?:-(?!artemis)[a-z]+)*",
    QPID: r"qpid-(?:broker|java)[\w-]*",
}
_NOT_OF = r"(?<!starter-)(?<!spring-)(?<!quarkus-)(?<!camel-)"
"""Prefixes of other products whose names contain a broker's name and that have releases of their own."""
_NO_CLIENT = r"(?![\w-]*client)"
_MAJORS = {ARTEMIS: ("1", "2"), CLASSIC: ("4", "5", "6"), QPID: ("0", "6", "7", "8", "9", "10")}
_BESIDE = re.compile(
    r"(?:.*\.)?Dockerfile.*|(?:docker-)?compose.*\.ya?ml|Chart\.ya?ml|values.*\.ya?ml|pom\.xml|build\.gradle(?:\.kts)?"
    r"|main\.ya?ml|default\.rb|params\.pp|\.env",
    re.IGNORECASE,
)
"""Files that may name the release of a broker."""
_WITHIN = ("", "defaults", "vars", "attributes", "manifests")
"""Folders in which roles and cookbooks keep the values of their templates."""
_INNER = {
    *("conf", "etc", "config", "configs", "configuration", "templates", "template", "files", "file", "default"),
    *("resources", "main", "test", "src", "attributes", "defaults", "vars", "tasks", "broker", "activemq", "artemis"),
}
"""Names of inner folders, whose release a folder above names."""
_HIGHEST = 6
_LARGEST = 1 << 20
"""The most bytes read of a neighbouring file."""


@dataclass(frozen=True)
class Named:
    """A release and the line that names it."""

    release: str
    where: str


def broker_of(read: Read) -> str:
    """The broker that `read` configures."""
    if isinstance(read, QpidFile):
        return QPID
    return ARTEMIS if isinstance(read, ArtemisFile) else CLASSIC


def that_read(read: Read) -> tuple[str, ...]:
    """The modelled releases that can read a file of this form and know the names of its limits, in ascending order."""
    found = of_form(read)
    if isinstance(read, QpidFile):
        levels = [*(each.levels for each in read.hosts), *(each.levels for each in read.queues)]
        is_new = any(each.capacity or each.messages or each.policy for each in levels)
        if any(each.old for each in levels) and not is_new:
            return tuple(each for each in found if is_before(each, WITHOUT_OLD_NAMES))
    return found


def of_form(read: Read) -> tuple[str, ...]:
    """The modelled releases that can read a file of this form, in ascending order."""
    found = releases(broker_of(read))
    if isinstance(read, ArtemisFile):
        return found
    if isinstance(read, QpidFile):
        return tuple(each for each in found if each.startswith("0.") != read.is_json)
    found = tuple(each for each in found if each.startswith("4.") == read.is_before_5)
    removed_in = None if read.old_store is None else REMOVED_IN[read.old_store.part]
    return tuple(each for each in found if removed_in is None or is_before(each, removed_in)) or found


def named(broker: str, path: Path) -> Named | None:
    """The release in a file, or else in files beside it or above it; None if none is named or several differ."""
    try:
        if (of_file := _of_file(broker, path)) is not None:
            return of_file
        for folder in _folders(path):
            found = [each for file in _beside(folder, path) for each in _releases(broker, file)]
            if found:
                return found[0] if len({each.release for each in found}) == 1 else None
    except OSError:
        return None
    return None


def _of_file(broker: str, path: Path) -> Named | None:
    """The release by the file's schema, its model version, or an image in the same YAML."""
    text = _text(path)
    if broker == CLASSIC:
        pattern = (
            r"activemq-core-(?P<release>\d+\.\d+(?:\.\d+)?)(?:-SNAPSHOT)?\.xsd"
            r"|\bengine_?version\b[\"']?\s*[=:]\s*[\"']?(?P<of_cloud>\d+\.\d+(?:\.\d+)?)\b"  # Amazon MQ
        )
    elif broker == QPID:
        pattern = r'"modelVersion"\s*:\s*"(\d+\.\d+)"'
    else:
        pattern = r"(?!)"
    flags = re.IGNORECASE if broker == CLASSIC else 0
    found = [
        Named(next(filter(None, each.groups())), _place(text, each.start(), path))
        for each in re.finditer(pattern, text, flags)
    ]
    if not found and path.suffix.lower() in (".yaml", ".yml", ".sh"):
        found = _releases(broker, path)
    return found[0] if len({each.release for each in found}) == 1 else None


def _folders(path: Path) -> Iterator[Path]:
    """The folder of a file, and the folders above it that belong to the same unit."""
    folder = path.resolve().parent
    for _ in range(_HIGHEST):
        yield folder
        if (folder / ".git").exists() or folder.parent == folder:
            return
        is_inner = folder.name.lower() in _INNER or any((up / ".git").exists() for up in list(folder.parents)[:5])
        if not is_inner:
            return
        folder = folder.parent


def _beside(folder: Path, path: Path) -> Iterator[Path]:
    for inner in _WITHIN:
        there = folder / inner
        if there.is_dir():
            files = (each for each in sorted(there.iterdir()) if _BESIDE.fullmatch(each.name))
            yield from (each for each in files if each.is_file() and each.resolve() != path.resolve())


def _releases(broker: str, path: Path) -> list[Named]:
    """Every release of a broker that a file names."""
    text = _text(path)
    name = f"{_NOT_OF}{_NAMES[broker]}{_NO_CLIENT}"
    patterns = (
        rf"{name}[\w-]*:{_RELEASE}",  # an image, or a part of a build
        rf"{name}\W{{0,4}}[_.-]?version\W{{1,8}}{_RELEASE}",
        rf"apache-(?:{name})-{_RELEASE}(?=[/\-.\s\"'])",
        rf"<artifactId>{name}[\w-]*</artifactId>\s*<version>{_RELEASE}",
        rf"repository:\s*\S*{name}\S*\s+tag:\s*[\"']?{_RELEASE}",
        rf"kind:\s*\w*(?:{_NAMES[broker]})\s*\n(?:.*\n){{0,20}}?spec:\s*\n"  # a resource of the operator
        rf"(?:  .*\n){{0,40}}?  version:\s*[\"']?{_RELEASE}",
        rf"name:\s*\S*{name}\S*(?:\n.*){{0,8}}\nappVersion:\s*[\"']?{_RELEASE}",
    )
    tags = re.finditer(rf"artemis[\w.-]*:artemis\.{_RELEASE}", text) if broker == ARTEMIS else ()
    return [Named(found[1], _place(text, found.start(1), path)) for found in tags] or [
        Named(found[1], _place(text, found.start(1), path))
        for pattern in patterns
        for found in re.finditer(pattern, text, re.IGNORECASE)
        if found[1].partition(".")[0] in _MAJORS[broker]
        and _OF_ANOTHER.search(text, max(0, found.start() - _LOOKED_BACK), found.start(1)) is None
    ]


_OF_ANOTHER = re.compile(r"(?:artemiscloud|arkmq-org)/\S*:|-(?:kubernetes|operator)(?::|\s+tag:)\s*[\"']?\Z")
"""The text in front of a version that belongs to an operator's image, not to the broker in it."""
_LOOKED_BACK = 60


def _place(text: str, start: int, path: Path) -> str:
    line = text.count("\n", 0, start) + 1
    folder = path.parent.name
    name = f"{folder}/{path.name}" if folder and folder in _WITHIN else path.name
    return f"{name}:{line}"


def _text(path: Path) -> str:
    if path.stat().st_size > _LARGEST:
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
