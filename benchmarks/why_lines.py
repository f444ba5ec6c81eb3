"""Measures how long `tidegate why` takes for logs of many shapes, beside a bare search of the same lines.

    python benchmarks/why_lines.py [--lines N] [--shape NAME]... [--profile]

Each shape is a text with N lines that is made up from a seed. The bare search is a loop of Python that looks for one
regular expression in each line. Processor time counts, of reading and answering, without the start of the program; all
modules are loaded first. The command's own start is measured by one line.
"""

import argparse
import cProfile
import io
import json
import pstats
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import cycle, islice

from parse_lines import log_lines

from tidegate.why.answer import Answer, Asked, answer
from tidegate.why.reading import read

ARTEMIS = (
    "INFO  [org.apache.activemq.artemis.core.server] AMQ221013: Using NIO Journal",
    "WARN  [org.apache.activemq.artemis.core.client] AMQ212037: Connection failure to 10.0.0.{n} detected",
    "WARN  [org.apache.activemq.artemis.core.server] AMQ222061: Client connection failed, clearing up {n}",
    "INFO  [org.apache.activemq.audit.base] AMQ601019: User app@10.0.0.{n} is getting mbean info",
    "WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on address 'orders.{n}'; "
    "size is currently: 600,000 bytes; max-size-bytes on address: 500,000, global-max-size is 500,000",
    "INFO  [org.apache.activemq.artemis.core.server] AMQ221046: Unblocking message production on address 'orders.{n}'; "
    "size is currently: 400,000 bytes; max-size-bytes: 500,000",
)
CLASSIC = (
    " | WARN  | Transport Connection to: tcp://10.0.0.{n}:4711 failed: java.io.EOFException | "
    "org.apache.activemq.broker.TransportConnection.Transport | ActiveMQ Transport: tcp:///10.0.0.{n}:4711@61616",
    " | INFO  | Slow KahaDB access: Journal append took: 0 ms, Index update took {n} ms | "
    "org.apache.activemq.store.kahadb.MessageDatabase | ActiveMQ Journal Checkpoint Worker",
    " | DEBUG | queue://orders.{n} expiring messages .. | org.apache.activemq.broker.region.Queue | Scheduler",
    " | INFO  | Usage(default:memory:queue://orders.{n}:memory) percentUsage=100%, usage=1048576, limit=1048576, "
    "percentUsageMinDelta=1%: Usage Manager Memory Limit reached. Producer (ID:h-{n}:1:1:1) stopped to prevent "
    "flooding queue://orders.{n}. See http://activemq.apache.org/producer-flow-control.html for more info (blocking "
    "for: 30s) | org.apache.activemq.broker.region.Queue | ActiveMQ Transport: tcp:///10.0.0.{n}:4711@61616",
)
RABBITMQ = (
    " [info] <0.{n}.0> accepting AMQP connection <0.{n}.0> (10.0.0.{n}:4711 -> 10.0.0.1:5672)",
    " [info] <0.{n}.0> connection <0.{n}.0> (10.0.0.{n}:4711 -> 10.0.0.1:5672): user 'app' authenticated",
    " [warning] <0.{n}.0> closing AMQP connection <0.{n}.0> (10.0.0.{n}:4711 -> 10.0.0.1:5672, user: 'app'):",
    "client unexpectedly closed TCP connection",
    " [info] <0.{n}.0> vm_memory_high_watermark set. Memory used:1000{n} allowed:1000000",
    " [warning] <0.{n}.0> memory resource limit alarm set on node rabbit@host-{n}.",
    " [warning] <0.{n}.0> memory resource limit alarm cleared on node rabbit@host-{n}",
)
WORDS = (
    " INFO  [main] com.example.Worker - the request {n} is blocked by another request; reason: busy, state: waiting",
    " WARN  [pool-{n}] com.example.flow.Machine - flow {n} waits for credit, sender credit 0, limit set to 5",
    ' INFO  [main] com.example.Http - GET /msgs/{n} 200 in 2053 ms, "state": "ok", AMQP is off',
    ' DEBUG [main] com.example.Disk - disk_free {n} _percent 44, "resource": "memory", high watermark set to {n}',
)
FRAMES = (
    '"pool-{n}-thread-1" #{n} prio=5 os_prio=0 tid=0x00007f00000{n} nid=0x{n} waiting on condition [0x00007f0]',
    "   java.lang.Thread.State: WAITING (parking)",
    "\tat jdk.internal.misc.Unsafe.park(java.base@17.0.1/Native Method)",
    "\t- parking to wait for  <0x00000000{n}> (a java.util.concurrent.locks.AbstractQueuedSynchronizer$Node)",
    "\tat java.util.concurrent.locks.LockSupport.park(java.base@17.0.1/LockSupport.java:341)",
    "\tat java.util.concurrent.LinkedBlockingQueue.take(java.base@17.0.1/LinkedBlockingQueue.java:435)",
    "\tat java.util.concurrent.ThreadPoolExecutor.getTask(java.base@17.0.1/ThreadPoolExecutor.java:1062)",
    "\tat java.lang.Thread.run(java.base@17.0.1/Thread.java:833)",
    "",
)
BEGIN = datetime(2026, 11, 25, 10)
WIDTH = 80
MANY = 100_000


def _times(lines: int, draw: random.Random) -> Iterator[datetime]:
    moment = BEGIN
    for _ in range(lines):
        moment += timedelta(milliseconds=draw.randrange(400))
        yield moment


def _drawn(texts: tuple[str, ...], between: str = " ") -> Callable[[int], Iterator[str]]:
    """The maker of lines with a time and one of the texts."""

    def made(lines: int) -> Iterator[str]:
        draw = random.Random(1)
        for time_of_line in _times(lines, draw):
            text = draw.choice(texts).replace("{n}", str(draw.randrange(10, 250)))
            yield f"{time_of_line.isoformat(' ', 'milliseconds').replace('.', ',')}{between}{text}"

    return made


def _docker(lines: int) -> Iterator[str]:
    """Lines of several programs in the files of Docker."""
    draw = random.Random(2)
    texts = (*ARTEMIS, *RABBITMQ, *WORDS)
    for time_of_line in _times(lines, draw):
        text = draw.choice(texts).strip().replace("{n}", str(draw.randrange(10, 250)))
        yield json.dumps({"log": f"{text}\n", "stream": "stdout", "time": f"{time_of_line.isoformat()}Z"})


def _records(lines: int) -> Iterator[str]:
    """Records of a program, in the layout of logstash."""
    draw = random.Random(3)
    for time_of_line in _times(lines, draw):
        text = draw.choice(WORDS).rpartition(" - ")[2].replace("{n}", str(draw.randrange(10, 250)))
        yield json.dumps({
            "@timestamp": f"{time_of_line.isoformat()}Z", "level": "INFO", "logger_name": "com.example.Worker",
            "thread_name": "main", "message": text, "state": "running", "reason": "none",
        })  # fmt: skip


def _dumps(lines: int) -> Iterator[str]:
    """Thread dumps, one behind the other."""
    draw = random.Random(4)
    number = "10"
    for frame in islice(cycle(FRAMES), lines):
        number = str(draw.randrange(10, 250)) if frame.startswith('"') else number
        yield frame.replace("{n}", number)


def _mail(lines: int) -> Iterator[str]:
    """A log that a mail quotes, wrapped at a width."""
    pieces = (
        f"> {line[place : place + WIDTH]}"
        for line in _drawn((*ARTEMIS, *CLASSIC))(lines)
        for place in range(0, len(line), WIDTH)
    )
    yield from islice(pieces, lines)


def _connections(lines: int) -> Iterator[str]:
    """A list of connections as management answers it, a field in a line."""
    draw = random.Random(5)
    each = [
        {
            "name": f"10.0.0.{draw.randrange(250)}:4711 -> 10.0.0.1:5672", "state": "running", "node": "rabbit@host",
            "user": "app", "channels": draw.randrange(9), "client_properties": {"product": "pika"}, "vhost": "/",
            "recv_oct_details": {"rate": 0.0}, "send_oct": draw.randrange(10**6),
        }
        for _ in range(lines // 14)
    ]  # fmt: skip
    return iter(json.dumps(each, indent=2).splitlines())


def _mixed(lines: int) -> Iterator[str]:
    """Lines of all other shapes, each of them in turn."""
    makers = [made(lines) for name, made in SHAPES.items() if name != "all of these"]
    return islice((line.rstrip("\n") for each in zip(*makers, strict=False) for line in each), lines)


SHAPES: dict[str, Callable[[int], Iterable[str]]] = {
    "Broker-J": lambda lines: (line.rstrip("\n") for line in log_lines(lines, 5)),
    "Broker-J, all lines tell": lambda lines: (each.rstrip("\n") for each in log_lines(lines, 1, queues=MANY)),
    "Artemis": _drawn(ARTEMIS),
    "Classic": _drawn(CLASSIC, ""),
    "RabbitMQ": _drawn(RABBITMQ, ""),
    "a program with usual words": _drawn(WORDS, ""),
    "files of Docker": _docker,
    "JSON records": _records,
    "thread dumps": _dumps,
    "a mail, wrapped": _mail,
    "JSON of management": _connections,
    "all of these": _mixed,
}
BARE = re.compile(r"(?:AMQ\d{6}|[A-Z]{3}-\d{4}|Usage Manager|alarm (?:set|cleared))")


def searched(text: bytes) -> int:
    """The number of lines in which the bare search finds something."""
    return sum(BARE.search(line.decode()) is not None for line in io.BytesIO(text))


def answered(text: bytes) -> Answer:
    """The answer to a log."""
    return answer(read([("broker.log", io.BytesIO(text))]), Asked("", "", None, None, (), ()))


def taken(work: Callable[[bytes], object], text: bytes, runs: int = 1) -> float:
    """The least processor time of a work, in seconds."""
    least = []
    for _ in range(runs):
        started = time.process_time()
        work(text)
        least.append(time.process_time() - started)
    return min(least)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--shape", action="append", choices=list(SHAPES))
    parser.add_argument("--profile", action="store_true", help="Show the functions that take most, in place of times.")
    asked = parser.parse_args()
    print("| shape | MB | CPU s | lines/CPU s | times a bare search |\n|---|---:|---:|---:|---:|")
    for shape in asked.shape or SHAPES:
        text = "".join(f"{line}\n" for line in SHAPES[shape](asked.lines)).encode()
        if asked.profile:
            profile = cProfile.Profile()
            profile.runcall(answered, text)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        bare, why = taken(searched, text, 3), taken(answered, text)
        lines = text.count(b"\n")
        print(f"| {shape} | {len(text) / 1e6:.1f} | {why:.2f} | {lines / why:,.0f} | {why / bare:.0f} |", flush=True)


if __name__ == "__main__":
    main()
