"""Queues of Broker-J that refuse or drop messages, or keep them on disk: what a limit does, and how far they fill."""

import re
from pathlib import Path

import pytest

from tests.explain.planted import host
from tidegate.explain import explaining
from tidegate.explain.vocabulary import Explanation, Traffic

BYTES, MESSAGES = "maximumQueueDepthBytes", "maximumQueueDepthMessages"


def explained(folder: Path, policy: str, producers: int = 1, **limits: int) -> Explanation:
    said = "".join(f', "{key}": {value}' for key, value in limits.items())
    text = host(f'{{"name": "q", "overflowPolicy": "{policy}"{said}}}')
    (folder / "host.json").write_text(text, encoding="utf-8")
    (read,) = explaining.read_file(folder / "host.json", "host.json")
    taken = explaining.version_of(read, "qpid", "10.1.0")
    return explaining.explain(read, taken, Traffic(producers, 100))


@pytest.mark.parametrize(
    ("policy", "limits", "producers", "messages"),
    [
        ("REJECT", {BYTES: 250}, 3, 2),
        ("REJECT", {BYTES: 70}, 1, 0),
        ("REJECT", {BYTES: 1000, MESSAGES: 4}, 3, 4),
        ("REJECT", {MESSAGES: 0}, 1, 0),
        ("RING", {BYTES: 250}, 1, 3),
        ("RING", {BYTES: 250}, 3, 5),
        ("RING", {MESSAGES: 4}, 2, 6),
    ],
)
def test_a_message_counts_before_it_is_stored(
    tmp_path: Path, policy: str, limits: dict[str, int], producers: int, messages: int
) -> None:
    found = explained(tmp_path, policy, producers, **limits)
    assert found.destinations[0].flows[0].bound.messages == messages


@pytest.mark.parametrize("key", [BYTES, MESSAGES])
@pytest.mark.parametrize(
    ("policy", "verdict", "says"),
    [
        ("REJECT", "REJECT: messages past 0 {} are refused", "every message is refused"),
        ("RING", "RING: past 0 {} the oldest messages are lost without a word", "no message stays"),
        ("PRODUCER_FLOW_CONTROL", "producers that send are stopped above 0 {}", "each message stops its sender"),
    ],
)
def test_a_limit_of_0_is_a_limit(tmp_path: Path, key: str, policy: str, verdict: str, says: str) -> None:
    found = explained(tmp_path, policy, **{key: 0})
    if key == MESSAGES:
        verdict = re.sub(r"^(RE.*|RI.*)past 0", r"\1past the limit of 0", verdict)
    assert found.destinations[0].verdict == verdict.format("bytes" if key == BYTES else "messages")
    assert [says in each.sentence for each in found.findings] == [True]


@pytest.mark.parametrize(("policy", "says"), [("REJECT", "are refused"), ("RING", "dropped"), ("FLOW_TO_DISK", "disk")])
def test_what_a_limit_does_is_told(tmp_path: Path, policy: str, says: str) -> None:
    found = explained(tmp_path, policy, **{BYTES: 5000, MESSAGES: 5})
    does = {each.name: each.does for each in found.destinations[0].limits}
    assert says in does["maximumQueueDepthBytes"]
    assert does["maximumQueueDepthBytes"] == does[MESSAGES]


def test_a_limit_below_one_message_is_found(tmp_path: Path) -> None:
    found = explained(tmp_path, "REJECT", **{BYTES: 10})
    assert ["every message is refused. Is it meant in another unit?" in each.sentence for each in found.findings] == [
        True
    ]
