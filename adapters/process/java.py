"""Finds the Java runtime."""

import os
import shutil
from pathlib import Path

from tidegate.record.errors import Unavailable

SHORT_LIFE = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options for a short life on few cores: no parallel collector, no optimising compiler."""
ENDS_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError"
"""The option that ends a broker that runs out of memory: its later behaviour would be evidence about no rule."""
LOCALE = ("-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC")
"""Options for numbers and times in the log that machines can read."""


def memory(heap_mb: int) -> tuple[str, ...]:
    """Options for a virtual machine with a heap of `heap_mb` MiB."""
    return f"-Xmx{heap_mb}m", ENDS_WITHOUT_MEMORY, *SHORT_LIFE


def java() -> str:
    """The `java` of JAVA_HOME, else the first on the PATH. `Unavailable` without one."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise Unavailable("a JDK is needed to start the broker: no java in JAVA_HOME or on the PATH")
    return found
