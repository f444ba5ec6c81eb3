"""Lines of logs whose names somebody blanked out before they were pasted."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

FIGURES = (
    "size=900 bytes (9 messages); maxSize=800 bytes (-1 messages); globalSize=900 bytes (9 messages); "
    "globalMaxSize=90000 bytes (-1 messages);"
)
ARTEMIS = "AMQ222183: Blocking message production on address '{}'; " + FIGURES
DATED = "2026-11-25 10:00:01,123 WARN  [org.apache.activemq.artemis.core.server] "


@pytest.mark.parametrize(
    "name", ["<redacted>", "<QUEUE_NAME>", "***", "[REDACTED]", "xxxx", "████", "my.<tenant>.till"]
)
def test_a_dated_line_counts_although_its_name_is_blanked_out(name: str) -> None:
    told = held(DATED + ARTEMIS.format(name))
    assert (told.setting, told.missing) == ("max-size-bytes", 101)
    assert told.place in (f"address {name}", "")


def test_a_line_without_a_time_and_with_a_placeholder_is_a_template() -> None:
    assert ask(ARTEMIS.format("<address>")).state is State.UNKNOWN


@pytest.mark.parametrize("node", ["rabbit@<host>", "rabbit@***", "rabbit@[host]", "<node>"])
def test_the_blanked_node_of_an_alarm_is_not_cut(node: str) -> None:
    told = held(f"2026-11-25 10:00:01.123 [warning] <0.353.0> memory resource limit alarm set on node '{node}'.")
    assert told.setting == "vm_memory_high_watermark"
    assert told.place in (f"node {node}", "")


def test_a_logger_behind_a_message_is_no_part_of_a_name() -> None:
    stop = "TID: [0] [MB] [2026-11-25 10:00:01,123]  INFO {{org.wso2.andes.kernel.Manager}} -  Flow control {} for "
    logger = " {org.wso2.andes.kernel.Manager}"
    line = stop.format("enabled") + "channel till-7" + logger
    assert held(line).clients == ("channel till-7",)
    assert ask(line, stop.format("disabled") + "channel till-7" + logger).state is State.NOT_BLOCKED
