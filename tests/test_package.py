"""Checks that the distribution holds every module and every file that the modules read."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOP_LEVEL = (
    "adapters",
    "catalogue",
    "cli",
    "conformance",
    "explain",
    "features",
    "model",
    "pages",
    "pipeline",
    "plugins",
    "record",
    "spec",
    "sweep",
    "why",
)
READ_AT_RUN_TIME = {".feature", ".json", ".java", ".j2", ".css", ".js", ".md", ".properties", ".txt", ".xml", ".yaml"}


def setuptools_table() -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        table: dict[str, object] = tomllib.load(file)["tool"]["setuptools"]
    return table


def test_every_folder_with_modules_is_a_package_of_the_distribution() -> None:
    folders = {module.parent for top in TOP_LEVEL for module in (ROOT / top).rglob("*.py")}
    names = {"tidegate." + str(folder.relative_to(ROOT)).replace("/", ".") for folder in folders}
    assert names == set(setuptools_table()["packages"])  # type: ignore[call-overload]


def test_every_file_that_modules_read_is_package_data() -> None:
    patterns = setuptools_table()["package-data"]
    assert isinstance(patterns, dict)
    shipped = {
        file
        for package, globs in patterns.items()
        if package != "*"
        for pattern in globs
        for file in (ROOT / package.removeprefix("tidegate.").replace(".", "/")).glob(pattern)
    }
    read = {file for top in TOP_LEVEL for file in (ROOT / top).rglob("*") if file.suffix in READ_AT_RUN_TIME}
    assert read - shipped == set()
