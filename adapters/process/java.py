"""Finding the Java runtime."""

import os
import shutil
from pathlib import Path

from tidegate.record.errors import Unavailable


def java() -> str:
    """The `java` of JAVA_HOME, else the first on the PATH. `Unavailable` without one."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise Unavailable("a JDK is needed to start the broker: no java in JAVA_HOME or on the PATH")
    return found
