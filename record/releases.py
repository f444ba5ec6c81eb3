"""The order of releases, from versions as Maven writes them: a build such as 2.45.0-SNAPSHOT stands at its release."""

import re

from packaging.version import Version

from tidegate.record.errors import BadInput

_WRITTEN = re.compile(r"(?P<numbers>\d+(?:\.\d+)*)(?:[.-][A-Za-z]\w+(?:[.-]\w+)*)?", re.ASCII)


def release(version: str) -> Version:
    """Return the numbers of a version, in their order. Raises BadInput for a text that is no version."""
    written = _WRITTEN.fullmatch(version)
    if written is None:
        raise BadInput(f"{version!r} is no version; expected one such as 2.44.0 or 2.45.0-SNAPSHOT")
    return Version(written["numbers"])


def may_change(version: str) -> bool:
    """Return whether builds with different contents may have this version."""
    return version.endswith("-SNAPSHOT")
