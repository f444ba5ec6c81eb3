"""The libraries of tidegate's extras, and the command that installs them into this environment.

The command names the libraries of an extra and not tidegate: tidegate is on no package index, and users install it from
different places (a checkout, a repository).
"""

import shlex
import sys
from importlib.metadata import requires

from packaging.requirements import Requirement


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra for this Python. KeyError for an unknown extra."""
    return shlex.join([sys.executable, "-m", "pip", "install", *_libraries(extra)])


def _libraries(extra: str) -> list[str]:
    """The libraries that pip installs for an extra on this machine, without the ones that tidegate always needs."""
    found = []
    for requirement in map(Requirement, requires("tidegate") or ()):
        marker, requirement.marker = requirement.marker, None
        if marker is not None and marker.evaluate({"extra": extra}) and not marker.evaluate({"extra": ""}):
            found.append(str(requirement))
    if not found:
        raise KeyError(f"tidegate has no extra {extra!r}")
    return found
