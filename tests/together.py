"""Gives test files that share a slow fixture to one process, so that the fixture starts once."""

from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).parents[1]
STARTED_ONCE = {
    "browser: Chrome": "Chromium",
    "spark: SparkSession": "Spark",
    "shared: Path": "an environment",
    "broker: Broker": "Artemis",
    "adapter: ArtemisAdapter": "Artemis",
}
"""The parameter by which a test asks for a fixture of the session, and the name of what the fixture starts."""


@cache
def scope(file: str) -> str:
    """The name of the slow fixture that a file's tests share with other files; the file itself if there is none."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return next((started for asked, started in STARTED_ONCE.items() if asked in text), file)


class LoadTogether(LoadFileScheduling):
    """Gives each process whole files, and files whose tests share a slow fixture to the same process."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(super()._split_scope(nodeid))
