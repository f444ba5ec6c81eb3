"""Commands and configurations that set a limit of RabbitMQ so that every publisher is blocked from the start."""

import pytest

from tests.why.asking import ask
from tidegate.why.answer import State
from tidegate.why.show import shown

SET = [
    # line, setting, figure
    ("rabbitmqctl set_vm_memory_high_watermark 0.0001", "vm_memory_high_watermark", "set to 0.0001"),
    ("$ sudo rabbitmqctl set_vm_memory_high_watermark 0", "vm_memory_high_watermark", "set to 0"),
    ("# rabbitmqctl set_vm_memory_high_watermark absolute 7MB", "vm_memory_high_watermark", "set to 7MB"),
    ("vm_memory_high_watermark.relative = 0.001", "vm_memory_high_watermark", "set to 0.001"),
    ("vm_memory_high_watermark.absolute = 64MiB", "vm_memory_high_watermark", "set to 64MiB"),
    ('    {rabbit, [{vm_memory_high_watermark, {absolute, "9MiB"}}]}', "vm_memory_high_watermark", "set to 9MiB"),
    ("    {rabbit, [{vm_memory_high_watermark, 0.00001}]}", "vm_memory_high_watermark", "set to 0.00001"),
    ("  RABBITMQ_VM_MEMORY_HIGH_WATERMARK: 50MiB", "vm_memory_high_watermark", "set to 50MiB"),
    ("docker run -e RABBITMQ_VM_MEMORY_HIGH_WATERMARK=0 rabbitmq", "vm_memory_high_watermark", "set to 0"),
    ("rabbitmqctl set_disk_free_limit 7000GB", "disk_free_limit", "set to 7000GB"),
    ("{disk_free_limit, 7000000000000}", "disk_free_limit", "set to 7000000000000"),
    (
        "`[{rabbit, [{disk_free_limit, 70000000000000000000000}]}].`",
        "disk_free_limit",
        "set to 70000000000000000000000",
    ),
]


@pytest.mark.parametrize(("line", "setting", "figure"), SET)
def test_a_limit_that_is_reached_at_once_is_told_with_an_if(line: str, setting: str, figure: str) -> None:
    found = ask("publishers hang", line)
    assert found.state is State.UNKNOWN
    assert found.quoted is not None
    assert (found.quoted.setting, found.quoted.told) == (setting, figure)
    first, second, *_ = shown(found).splitlines()
    assert "for certain: a.log:2 sets a limit that is reached at once" in first
    assert second == "if so    every producer of the broker is blocked"


USUAL = [
    "rabbitmqctl set_vm_memory_high_watermark absolute 100M",
    "vm_memory_high_watermark.relative = 0.01",
    "rabbitmqctl set_vm_memory_high_watermark 0.4",
    "vm_memory_high_watermark.absolute = 2GB",
    "{vm_memory_high_watermark, {absolute, 1073741824}}",
    "vm_memory_high_watermark_paging_ratio = 0.001",
    "{disk_free_limit, 50000000}",
    "disk_free_limit.relative = 1.5",
    "# vm_memory_high_watermark.relative = 0.001",
    "%% {vm_memory_high_watermark, 0.001}",
    "the `vm_memory_high_watermark` setting is 40 percent",
]


@pytest.mark.parametrize("line", USUAL)
def test_a_usual_limit_or_one_that_is_commented_out_tells_nothing(line: str) -> None:
    found = ask("publishers hang", line)
    assert (found.state, found.quoted) == (State.UNKNOWN, None)


def test_the_last_of_several_counts_also_within_a_line() -> None:
    low, usual = "rabbitmqctl set_vm_memory_high_watermark 0", "rabbitmqctl set_vm_memory_high_watermark 0.4"
    assert ask(low, usual).quoted is None
    assert ask(f"`{low}` blocks it and `{usual}` does not").quoted is None
    assert ask(usual, low).quoted is not None


def test_what_a_node_says_of_itself_counts_more() -> None:
    own = "disk resource limit alarm set on node rabbit@mq1"
    found = ask("rabbitmqctl set_vm_memory_high_watermark 0", own)
    assert found.held is not None
    assert (found.held.setting, found.quoted) == ("disk_free_limit", None)
