"""The skeleton of an adapter: a small project of its own, written from templates."""

import keyword
import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from tidegate.adapters.resolver import BUILT_IN, GROUPS
from tidegate.record.errors import BadInput

FILES = {
    "pyproject.toml": "pyproject.toml.j2",
    "tox.ini": "tox.ini.j2",
    "README.md": "readme.md.j2",
    "known-deviations.yaml": "known-deviations.yaml.j2",
    "{package}/__init__.py": "package.py.j2",
    "{package}/adapter.py": "adapter.py.j2",
}
"""Each file of the project and its template."""
PACKAGE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def write(name: str, folder: Path, source: str) -> Iterator[Path]:
    """Write the project of an implementation to a folder; it installs tidegate from the address `source`.

    Raises BadInput for an unfit name, or where a file already exists.
    """
    if not PACKAGE_NAME.fullmatch(name) or keyword.iskeyword(name):
        raise BadInput(f"expected a name in small letters, digits and single underscores, not {name!r}", field="NAME")
    if name in (*BUILT_IN, *GROUPS):
        raise BadInput(f"expected a name that no built-in adapter has, such as my_{name}, not {name!r}", field="NAME")
    templates = Environment(  # noqa: S701  no HTML: there is nothing to escape in a name that is checked
        loader=PackageLoader("tidegate.cli"), undefined=StrictUndefined, keep_trailing_newline=True
    )
    facts = {"name": name, "package": f"{name}_tidegate", "title": _class_name(name), "source": source}
    texts = {
        folder / place.format(**facts): templates.get_template(template).render(facts)
        for place, template in FILES.items()
    }
    for path in texts:
        if path.exists():
            raise BadInput("expected no file with this name; choose another --directory", file=path)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield path


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
