"""What this room and the pipeline, which know nothing of each other, make of the same lines of real logs."""

from pathlib import Path

import pytest

from tests.pipeline.reading import read_log
from tests.pipeline.real_logs import LOGS, whole
from tests.sample import sampled
from tidegate.pipeline.read.inputs import inputs
from tidegate.record.events import Kind
from tidegate.why.notices import Blocked, Released
from tidegate.why.reading import read

REPORTS = LOGS.parents[2] / "reports"
FILES = sorted([*LOGS.rglob("*.log"), *REPORTS.glob("artemis*/broker-*.log"), *REPORTS.glob("[cq]*/broker-*.log")])
MEANS = {
    Kind.OVERFULL: Blocked,
    Kind.STOP: Blocked,
    Kind.UNDERFULL: Released,
    Kind.RELEASE: Released,
}
"""What an event of the pipeline is here. The others are of messages, connections and figures."""

OWN_BYTES = {"max-size-bytes", "capacity", "maximumQueueDepthBytes", "memoryLimit", "storeUsage", "tempUsage"}
"""Settings whose level is in the event, too."""


def in_its_folder(path: Path) -> str:
    """The file with the folder that it stands in."""
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", sampled(FILES, 10, name=in_its_folder), ids=in_its_folder)
def test_both_read_the_same_of_each_line(path: Path) -> None:
    (file,) = inputs([path])
    rows = read_log(whole(file)).events.to_dicts()
    told = {row["line"]: row for row in rows if Kind(row["kind"]) in MEANS}
    with path.open("rb") as opened:
        heard = {each.line: each.said for each in read([(path.name, opened)]).heard}
    assert {line: MEANS[Kind(row["kind"])] for line, row in told.items()} == {
        line: type(heard.get(line)) for line in told
    }
    for line, row in told.items():
        said = heard[line]
        if isinstance(said, Blocked) and row["destination"] and said.place:
            assert said.place == row["destination"]
        if isinstance(said, Blocked) and said.cause.setting in OWN_BYTES and said.figures.level is not None:
            assert (said.figures.level, said.figures.limit) == (row["bytes"], row["limit"])
