"""Which files of tests one process runs, so that what takes long to start is started once and not by each process."""

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
"""What a test that asks for a fixture of the session has in its parameters, and what that fixture starts."""


@cache
def scope(file: str) -> str:
    """What the tests of a file share with those of other files; the file itself where they share nothing."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return next((started for asked, started in STARTED_ONCE.items() if asked in text), file)


class LoadTogether(LoadFileScheduling):
    """Gives each process whole files, those together whose tests share what a session starts."""

    def _split_scope(self, nodeid: str) -> str:
        return scope(super()._split_scope(nodeid))
