"""What the optional parts of tidegate need, and the command that installs it into this environment.

The command names the libraries of an extra and not tidegate: tidegate is on no package index, and where it is
installed from (a checkout, a repository) is different for everybody.
"""

import shlex
import sys
from importlib.metadata import requires

from packaging.requirements import Requirement


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra for the Python that runs this. KeyError for no extra."""
    return shlex.join([sys.executable, "-m", "pip", "install", *_libraries(extra)])


def _libraries(extra: str) -> list[str]:
    """What pip installs for an extra beside what tidegate always needs, as far as this machine needs it."""
    found = []
    for requirement in map(Requirement, requires("tidegate") or ()):
        marker, requirement.marker = requirement.marker, None
        if marker is not None and marker.evaluate({"extra": extra}) and not marker.evaluate({"extra": ""}):
            found.append(str(requirement))
    if not found:
        raise KeyError(f"tidegate has no extra {extra!r}")
    return found
