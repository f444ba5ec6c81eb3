"""A line without its beginning names the limit that its rest shows, and no name or figure is made up."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

FIGURES = (
    "size=900 bytes (9 messages); maxSize=800 bytes (-1 messages); globalSize=900 bytes (9 messages); "
    "globalMaxSize=90000 bytes (-1 messages);"
)
SEE = "See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 60s)"
OPEN = "memoryLimit, memoryUsage, storeUsage or tempUsage"
RESTS = [
    # line, setting, place, limit
    (f"tion on address 'till'; {FIGURES}", "max-size-bytes", "address till", 800),
    (f"'; {FIGURES}", "max-size-bytes", "", 800),
    (f"ll.orders'; {FIGURES}", "max-size-bytes", "", 800),
    ("ory resource limit alarm set on node 'rabbit@till'.", "vm_memory_high_watermark", "node rabbit@till", None),
    ("source limit alarm set on node rabbit@till", "vm_memory_high_watermark or disk_free_limit", "node rabbit@till",
     None),
    ("erfull : Size : 1,200 bytes, Capacity : 1,000", "capacity", "", 1000),
    (f"pping producer (ID:till:1:1:1) to prevent flooding queue://A. {SEE}", OPEN, "", None),
    (f", usage=90000, limit=90000, percentUsageMinDelta=1%: Usage Manager Memory Limit reached. Producer "
     f"(ID:till:1:1:1) stopped to prevent flooding queue://A. {SEE}", "memoryUsage", "destination queue://A", 90000),
    ("is at 1.9GB of 20.0GB total. Usage rate is 90.5% which is beyond the configured <max-disk-usage>. System will "
     "start blocking producers.", "max-disk-usage", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place", "limit"), RESTS)
@pytest.mark.parametrize("mark", ["", "> ", "... "])
def test_the_rest_of_a_line_tells_its_limit(line: str, setting: str, place: str, limit: int | None, mark: str) -> None:
    told = held(mark + line)
    assert (told.setting, told.limit) == (setting, limit)
    assert place in told.place


def test_the_rest_of_a_release_is_not_taken_for_a_stop() -> None:
    below = FIGURES.replace("size=900", "size=700")
    assert ask(f"locking message production on address 'till'; {below}").state is not State.BLOCKED


@pytest.mark.parametrize(
    "line",
    [
        "the queue is full and production on address till goes on",
        "limit alarm",
        "tion on address '%s'; size=%d bytes (%d messages); maxSize=%d bytes",
        "of the producer to prevent flooding",
        "ory resource limit alarm cleared on node 'rabbit@till'",
    ],
)
def test_other_lines_are_no_rests_of_a_stop(line: str) -> None:
    assert ask(line).state not in (State.BLOCKED, State.LIMIT_UNKNOWN)


def test_a_rest_that_lacks_the_figure_on_which_the_limit_depends_leaves_the_limit_open() -> None:
    found = ask("ytes; max-size-bytes on address: 10,485,760, global-max-size is 536,870,912")
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None and found.held.setting == ""
