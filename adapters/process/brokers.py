"""Which Maven coordinates a version of a real broker has, from the one file that pins them (`brokers.yaml`)."""

import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from packaging.version import InvalidVersion, Version

from tidegate.record.errors import BadInput


@dataclass(frozen=True)
class Coordinates:
    """What to fetch for one version of a broker: jars with or without all that they need, or one archive."""

    broker: str
    version: str
    jars: tuple[str, ...]
    """`group:artifact:version`."""
    archive: str | None
    """`group:artifact:version:type:classifier`."""
    transitive: bool
    without: tuple[str, ...] = ()
    """`group:artifact` of what is left out of all that they need."""


def names() -> tuple[str, ...]:
    """Everything that there are coordinates for."""
    return tuple(_pinned())


def usual_version(broker: str) -> str:
    """The version that is meant where none is named."""
    usual: str = _pinned()[broker]["usual"]
    return usual


def tried_versions(broker: str) -> tuple[str, ...]:
    """The versions that the suite was run on, newest generation first."""
    return tuple(_pinned()[broker]["tried"])


def coordinates(broker: str, version: str) -> Coordinates:
    """What a version consists of. `BadInput` for a version that is none, or for which there is no entry."""
    pinned = _pinned()[broker]
    tried = ", ".join(pinned["tried"])
    try:
        entries = [entry for entry in pinned["entries"] if Version(entry["from"]) <= Version(version)]
    except InvalidVersion:
        raise BadInput(f"{broker}:{version}: {version!r} is no version; tried were {tried}") from None
    if not entries:
        raise BadInput(f"{broker}:{version}: {pinned['entries'][0]['from']} is the oldest; tried were {tried}")
    entry = entries[-1]
    archive = entry.get("archive")
    return Coordinates(
        broker,
        version,
        tuple(jar.format(version=version) for jar in entry.get("jars", ())),
        archive and archive.format(version=version),
        entry.get("transitive", True),
        tuple(entry.get("without", ())),
    )


def nearest_tried(broker: str, version: str) -> tuple[str, ...]:
    """The tried versions next to one that was not, older and newer; nothing for one that was tried."""
    tried = sorted(map(Version, tried_versions(broker)))
    if Version(version) in tried:
        return ()
    older = [each for each in tried if each < Version(version)][-1:]
    newer = [each for each in tried if each > Version(version)][:1]
    return tuple(map(str, older + newer))


def tell_untried(broker: str, version: str) -> None:
    """Say on stderr of a version that the suite was never run on it; nothing of another one."""
    if nearest := nearest_tried(broker, version):
        those = f"{' and '.join(nearest)} {'were' if len(nearest) > 1 else 'was'}"
        said = f"{broker}:{version} was never tried with this adapter; nearest to it {those}"
        print(said, file=sys.stderr)  # noqa: T201


@cache
def _pinned() -> dict[str, Any]:
    text = files("tidegate.adapters.process").joinpath("brokers.yaml").read_text(encoding="utf-8")
    pinned: dict[str, Any] = yaml.safe_load(text)
    return pinned
