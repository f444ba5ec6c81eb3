"""Gives test files that share a slow fixture to one process, so that the fixture starts once, and slow files first."""

from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

ROOT = Path(__file__).parents[1]
STARTED_ONCE = {
    "browser: Chrome": "Chromium",
    "spark: SparkSession": "Spark",
    "shared: Path": "an environment",
    "broker: Broker": "Artemis",
    "adapter: ArtemisAdapter": "Artemis",
}
"""The parameter by which a test asks for a fixture of the session, and the name of what the fixture starts."""
STARTED_FIRST = (
    *("Artemis", "Spark", "Chromium", "an environment"),
    "tests/conformance/test_honest_brokers.py",
    "tests/conformance/test_permissions.py",
    "tests/conformance/test_choices.py",
    "tests/conformance/test_broken_brokers.py",
    "tests/conformance/test_attribution.py",
    "tests/examples/test_javascript.py",
    "tests/conformance/test_vectors.py",
    "tests/pipeline/test_judge_agreement.py",
    "tests/conformance/test_mutants.py",
    "tests/conformance/test_strength.py",
)
"""The files and shared fixtures that take longest though they have few tests, the slowest first.

Otherwise a file with few tests would come last, and one slow file would run alone at the end.
"""


@cache
def scope(file: str) -> str:
    """The name of the slow fixture that a file's tests share with other files; the file itself if there is none."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return next((started for asked, started in STARTED_ONCE.items() if asked in text), file)


class LoadTogether(LoadFileScheduling):
    """Gives whole files to a process, slow ones first, and files whose tests share a slow fixture to the same one."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        first = next((each for each in STARTED_FIRST if each in self.workqueue), None)
        if first is not None:
            self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)

    def _split_scope(self, nodeid: str) -> str:
        return scope(super()._split_scope(nodeid))
