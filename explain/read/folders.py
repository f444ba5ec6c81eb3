"""Lists the configurations in a folder: the broker's own files, or broker properties (`--properties`)."""

from pathlib import Path

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

CONFIGURATIONS = ("broker.xml", "activemq.xml", "virtualhosts.xml")
"""The names of the brokers' own files."""
_OF_PROPERTIES = (".properties", ".json")
EXPECTED = (
    "expected a folder with a broker.xml, activemq.xml or virtualhosts.xml, or with broker properties of Artemis "
    "(*.properties, *.json)"
)


def is_of_properties(folder: Path) -> bool:
    """Whether a folder has none of the broker's own files, so that its properties apply one after the other."""
    return not any((folder / name).is_file() for name in CONFIGURATIONS)


def configurations(folder: Path) -> tuple[Path, ...]:
    """The broker's own files in a folder, else its broker properties in the order in which a broker reads them.

    BadInput for a folder with neither.
    """
    try:
        there = sorted(each for each in folder.iterdir() if each.is_file())
    except OSError as error:
        raise BadInput(f"expected a folder that can be read, but {in_words(error)}", file=str(folder)) from error
    found = [each for each in there if each.name in CONFIGURATIONS]
    found = found or [each for each in there if each.suffix in _OF_PROPERTIES]
    if not found:
        raise BadInput(EXPECTED, file=str(folder))
    return tuple(found)
