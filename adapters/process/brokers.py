"""The Maven coordinates of the versions of real brokers, from the one file that pins them (`brokers.yaml`)."""

import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from packaging.version import Version

from tidegate.record.errors import BadInput
from tidegate.record.releases import release


@dataclass(frozen=True)
class Coordinates:
    """The artifacts of one version of a broker: jars with or without their dependencies, or one archive."""

    broker: str
    version: str
    jars: tuple[str, ...]
    """`group:artifact:version` of each jar."""
    archive: str | None
    """`group:artifact:version:type:classifier` of the archive."""
    transitive: bool
    without: tuple[str, ...] = ()
    """`group:artifact` of each dependency that is left out."""


def names() -> tuple[str, ...]:
    """The names of everything with coordinates."""
    return tuple(_pinned())


def usual_version(broker: str) -> str:
    """The default version."""
    usual: str = _pinned()[broker]["usual"]
    return usual


def tried_versions(broker: str) -> tuple[str, ...]:
    """The versions that the suite was run on, newest generation first."""
    return tuple(_pinned()[broker]["tried"])


def coordinates(broker: str, version: str) -> Coordinates:
    """The artifacts of a version. `BadInput` for an invalid version, or one without an entry."""
    pinned = _pinned()[broker]
    tried = ", ".join(pinned["tried"])
    try:
        asked = release(version)
    except BadInput:
        raise BadInput(f"{broker}:{version}: expected a version, not {version!r}; tried were {tried}") from None
    entries = [entry for entry in pinned["entries"] if Version(entry["from"]) <= asked]
    if not entries:
        oldest = pinned["entries"][0]["from"]
        raise BadInput(f"{broker}:{version}: expected version {oldest} or later; tried were {tried}")
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
    """The tried versions next to an untried one, older and newer; empty for a tried version."""
    tried = sorted(map(Version, tried_versions(broker)))
    asked = release(version)
    if asked in tried and version == str(asked):
        return ()
    older = [each for each in tried if each <= asked][-1:]
    newer = [each for each in tried if each > asked][:1]
    return tuple(map(str, older + newer))


def tell_untried(broker: str, version: str) -> None:
    """Say on stderr that the suite was never run on a version; nothing for a tried version."""
    if nearest := nearest_tried(broker, version):
        those = f"{' and '.join(nearest)} {'were' if len(nearest) > 1 else 'was'}"
        said = f"{broker}:{version} was never tried with this adapter; nearest to it {those}"
        print(said, file=sys.stderr)  # noqa: T201


@cache
def _pinned() -> dict[str, Any]:
    text = files("tidegate.adapters.process").joinpath("brokers.yaml").read_text(encoding="utf-8")
    pinned: dict[str, Any] = yaml.safe_load(text)
    return pinned
