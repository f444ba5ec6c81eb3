"""Long logs that are made up, of which it is known who is blocked at the end, and what `tidegate why` says of them.

    long_logs.py [--seed N] [--each N] [--records N]

Each log has one to three nodes with the same destinations, many stops and releases, restarts, lines of the garbage
collector, duplicates by a collector, rotation, and a change of the clock. The seed draws all of that.
"""

import argparse
import io
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from tidegate.why.answer import Answer, Asked, State, answer
from tidegate.why.reading import read

STYLES = ("local", "Z", "offset", "compose")
BEFORE_THE_CLOCK_CHANGES = datetime(2026, 10, 24, 22, tzinfo=ZoneInfo("Europe/Berlin"))
FREED, STOPPED = "freed", "stopped"
DESTINATIONS = 4
LINES = {
    "artemis": {
        STOPPED: "WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on address "
        "'{}'; size is currently: 600,000 bytes; max-size-bytes on address: 500,000, global-max-size is 500,000",
        FREED: "INFO  [org.apache.activemq.artemis.core.server] AMQ221046: Unblocking message production on address "
        "'{}'; size is currently: 400,000 bytes; max-size-bytes: 500,000",
    },
    "qpid": {
        STOPPED: "INFO  [IO-/127.0.0.1:40000] (q.m.q.overfull) - [vh(/test)/qu({})] QUE-1003 : Overfull : Size : 1,200 "
        "bytes, Capacity : 1,000, Messages : 3, Message Capacity : -1",
        FREED: "INFO  [IO-/127.0.0.1:40000] (q.m.q.underfull) - [vh(/test)/qu({})] QUE-1004 : Underfull : Size : 700 "
        "bytes, Resume Capacity : 800, Messages : 2, Message Capacity : -1",
    },
}
LINES["hornetq"] = {
    kind: line.replace("org.apache.activemq.artemis", "org.hornetq").replace("AMQ", "HQ")
    for kind, line in LINES["artemis"].items()
}
ENDED = {
    "artemis": (
        "INFO  [org.apache.activemq.artemis.core.server] AMQ221000: primary Message Broker is starting",
        "INFO  [org.apache.activemq.artemis.core.server] AMQ221002: Apache Artemis Message Broker version 2 stopped",
        "ERROR [org.apache.activemq.artemis.core.server] AMQ224079: The process for the virtual machine will be "
        "killed, as component QueueImpl is not responsive",
    ),
    "hornetq": (
        "INFO  [org.hornetq.core.server] HQ221000: live server is starting with configuration HornetQ Configuration",
        "INFO  [org.hornetq.core.server] HQ221002: HornetQ Server version 2.4.5.Final (Wild Hornet, 124) stopped",
    ),
    "qpid": (
        "INFO  [Broker-Config] (q.m.b.startup) - [Broker] BRK-1001 : Startup : Version: 9.2.1 Build: 0",
        "INFO  [Broker-Config] (q.m.b.stopped) - [IO Pool] BRK-1005 : Stopped",
        'INFO  [VirtualHostNode-test-Config] (q.m.v.close) - [IO Pool] VHT-1002 : Close : "test"',
    ),
}
"""Lines after which a node holds nobody up."""
QUIET = "INFO  [org.example.Metrics] gathered 12 figures in 3 ms"
COLLECTED = "[{:.3f}s][info][gc] GC({}) Pause Young (Normal) (G1 Evacuation Pause) 812M->410M(1024M) 7.312ms"


@dataclass
class Node:
    """A broker: its name, its lines, and which destinations are blocked, with the moment at which each was stopped."""

    name: str
    lines: list[str] = field(default_factory=list)
    blocked: dict[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class Made:
    """What was made up: the lines of each file, the nodes, and in which style times are written."""

    files: tuple[tuple[str, list[str]], ...]
    nodes: tuple[Node, ...]
    style: str


def made(product: str, count: int, draw: random.Random) -> Made:
    """Logs of nodes of a product with so many records altogether."""
    style = draw.choice(STYLES)
    nodes = tuple(Node(f"broker-{number}") for number in range(draw.randint(1, 3)))
    at, together = BEFORE_THE_CLOCK_CHANGES, []
    for number in range(count):
        at = (at.astimezone(ZoneInfo("UTC")) + timedelta(milliseconds=draw.randint(1, 20_000))).astimezone(at.tzinfo)
        node = draw.choice(nodes)
        text = _text(product, node, at, draw)
        lines = [f"{_time(at, style)} {text}"] * (2 if draw.random() < 0.05 else 1)
        if draw.random() < 0.2:
            lines.append(COLLECTED.format(number / 7, number))
        node.lines += lines
        together += [f"{node.name}  | {line}" for line in lines]
    if style == "compose":
        return Made((("compose.log", together),), nodes, style)
    return Made(tuple(file for node in nodes for file in _rotated(node, draw)), nodes, style)


def _text(product: str, node: Node, at: datetime, draw: random.Random) -> str:
    """What a node logs next, by chance; it remembers what it blocks."""
    chance, destination = draw.random(), f"orders.{draw.randint(1, DESTINATIONS)}"
    if chance < 0.002:
        node.blocked.clear()
        return draw.choice(ENDED[product])
    if chance < 0.05 and destination not in node.blocked:
        node.blocked[destination] = at
        return LINES[product][STOPPED].format(destination)
    if chance > 0.94 and destination in node.blocked:
        del node.blocked[destination]
        return LINES[product][FREED].format(destination)
    return QUIET


def _time(at: datetime, style: str) -> str:
    if style == "Z":
        return f"{at.astimezone(ZoneInfo('UTC')):%Y-%m-%dT%H:%M:%S},{at.microsecond // 1000:03}Z"
    local = f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03}"
    return f"{local.replace(' ', 'T')}{at:%z}" if style == "offset" else local


def _rotated(node: Node, draw: random.Random) -> list[tuple[str, list[str]]]:
    parts = draw.randint(1, 3)
    bounds = [len(node.lines) * part // parts for part in range(parts + 1)]
    return [
        (f"{node.name}.log" + (f".{parts - part - 1}" if part < parts - 1 else ""), node.lines[first:last])
        for part, (first, last) in enumerate(pairwise(bounds))
    ]


def wrong(logs: Made) -> str:
    """What is wrong of the answer; empty where nothing is."""
    files = [(name, io.BytesIO("\n".join(lines).encode())) for name, lines in logs.files]
    log = read(files)
    for number in range(1, DESTINATIONS + 1):
        place = f"orders.{number}"
        blocked = any(place in node.blocked for node in logs.nodes)
        if (answer(log, Asked(queue=place)).state is State.BLOCKED) is not blocked:
            return f"asked for {place}, which is {'blocked' if blocked else 'free'}"
    said: Answer = answer(log, Asked())
    due = {(node.name, place): since for node in logs.nodes for place, since in node.blocked.items()}
    if not due:
        return "" if said.state is not State.BLOCKED else f"{said.held and said.held.place} is told, none is blocked"
    if said.held is None or said.state is not State.BLOCKED:
        return f"nothing is told, {len(due)} are blocked"
    (node, place), since = max(due.items(), key=lambda one: one[1])
    there = dict(logs.files)[said.held.file][said.held.line - 1] if logs.style == "compose" else said.held.file
    if not said.held.place.endswith(place) or not there.startswith(node):
        return f"{said.held.place} of {said.held.file} is told, {place} of {node} since {since} is due"
    return "" if said.others == len(due) - 1 else f"{said.others} others are told, {len(due) - 1} are due"


def main() -> None:
    """Ask about made-up logs of each product, and print which answers are wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--records", type=int, default=3000)
    options = parser.parse_args()
    count: Counter[str] = Counter()
    for product in LINES:
        for number in range(options.each):
            logs = made(product, options.records, random.Random(f"{options.seed} {product} {number}"))
            found = wrong(logs)
            count["wrong" if found else "right"] += 1
            if found:
                print(f"{product} {number} ({logs.style}, {len(logs.nodes)} nodes, {len(logs.files)} files): {found}")
    print(dict(count))


if __name__ == "__main__":
    main()
