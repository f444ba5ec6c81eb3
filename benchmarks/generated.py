"""Events as in the logs of Qpid brokers: truthful by construction, in the order of arrival, with known faults.

Queues are simulated with the model's own gate: channels fill a queue until its gate closes, which makes it overfull and
stops them, and consumers empty it until the gate opens, which makes it underfull and releases them. The queues of all
brokers take turns at random, and one queue has 30 % of the turns. A simulation ends with every gate open, so
simulations can follow one another: a few of them are made once and strung together in random order to any length. Some
have faults, each with the rule that it breaks and the event that shows it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from tidegate.model.mechanisms.gate import Gate, below_low, past_high
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE, STOPPED_CHANNEL, UNDERFULL_QUEUE
from tidegate.pipeline.read.tables import EVENT_COLUMNS, NUMBERS, polars_schema
from tidegate.record.events import Kind

STREAM = "collected"
INPUT = "collected.log"
BROKERS, QUEUES, CHANNELS = 8, 25, 4
HOT_SHARE = 0.3
"""The share of one queue in all events."""
TURNS = 100_000
"""The approximate number of events in a simulation."""
KINDS_OF_SIMULATION = 4
LINE_BYTES = 96
"""The seq of an event is the offset of its line, as for a log that is read."""
FILE_BITS = 40
FAULTY_EVERY = 2_500_000
"""The number of events between two simulations with faults."""
FAULTS = ("not above capacity", "not below resume", "underfull twice", "released twice", "stopped while underfull")

Said = dict[str, object]


@dataclass
class Queue:
    """A queue with its gate, and the events about it that are not yet written."""

    broker: str
    name: str
    gate: Gate
    level: int = 0
    closed: bool = False
    stopped: list[str] = field(default_factory=list)
    waiting: list[Said] = field(default_factory=list)

    def go_on(self, rng: random.Random) -> None:
        """Make the next events happen."""
        if not self.closed:
            self._fill(rng)
        elif len(self.stopped) < CHANNELS and rng.random() < 0.5:
            self._stop(f"{self.name}/{len(self.stopped)}")
        else:
            self.drain(rng)

    def drain(self, rng: random.Random) -> None:
        """Take messages until the gate opens."""
        while not below_low(self.gate, self.level):
            self.level = max(0, self.level - rng.randint(1, self.gate.low))
        self.closed = False
        self.tell(Kind.UNDERFULL, cause=UNDERFULL_QUEUE, bytes=self.level, resume=self.gate.low)
        for channel in self.stopped:
            self.tell(Kind.RELEASE, destination=None, channel=channel)
        self.stopped = []

    def tell(self, kind: Kind, **fields: object) -> None:
        """Add an event about the queue to those not yet written."""
        self.waiting.append({"source": self.broker, "kind": str(kind), "destination": self.name, **fields})

    def _fill(self, rng: random.Random) -> None:
        while not past_high(self.gate, self.level):
            self.level += rng.randint(1, self.gate.high // 4)
        self.closed = True
        self.tell(Kind.OVERFULL, cause=OVERFULL_QUEUE, bytes=self.level, limit=self.gate.high)
        self._stop(f"{self.name}/0")

    def _stop(self, channel: str) -> None:
        self.stopped.append(channel)
        self.tell(Kind.STOP, cause=STOPPED_CHANNEL, channel=channel)


def simulation(seed: int, *, faults: bool) -> pl.DataFrame:
    """Events in the order of arrival; `fault` is the id of the rule that an event breaks, or null."""
    rng = random.Random(seed)
    queues = [
        Queue(f"broker-{broker}", f"{broker}.orders.{number}", Gate(high=1000 * (number + 1), low=800 * (number + 1)))
        for broker in range(BROKERS)
        for number in range(QUEUES)
    ]
    hot, others = queues[0], queues[1:]
    told: list[Said] = []
    for _ in range(TURNS):
        queue = hot if rng.random() < HOT_SHARE else rng.choice(others)
        if not queue.waiting:
            queue.go_on(rng)
        told.append(queue.waiting.pop(0))
    for queue in queues:
        if queue.closed:
            queue.drain(rng)
        told += queue.waiting
    if faults:
        told = _with_faults(told, rng)
    columns = ("source", "kind", "destination", "channel", "bytes", "limit", "resume", "cause", "fault")
    return pl.DataFrame(
        {name: [each.get(name) for each in told] for name in columns},
        schema={name: pl.Int64 if name != "fault" and name in NUMBERS else pl.String for name in columns},
    )


def _with_faults(told: list[Said], rng: random.Random) -> list[Said]:
    """One fault of each kind, each on another queue, at a random event in the second half."""
    chosen: dict[int, list[Said]] = {}
    of_kind = {
        "not above capacity": Kind.OVERFULL,
        "not below resume": Kind.UNDERFULL,
        "underfull twice": Kind.UNDERFULL,
        "released twice": Kind.RELEASE,
        "stopped while underfull": Kind.UNDERFULL,
    }
    used: set[object] = set()
    for fault in FAULTS:
        while True:
            place = rng.randrange(len(told) // 2, len(told))
            event = told[place]
            about = event.get("destination") or event["channel"].rpartition("/")[0]  # type: ignore[attr-defined]
            if event["kind"] == of_kind[fault] and about not in used:
                break
        used.add(about)
        chosen[place] = _broken(event, fault)
    return [each for place, event in enumerate(told) for each in chosen.get(place, [event])]


def _broken(event: Said, fault: str) -> list[Said]:
    match fault:
        case "not above capacity":
            return [{**event, "bytes": event["limit"], "fault": "QPID-LOG-1"}]
        case "not below resume":
            return [{**event, "bytes": event["resume"], "fault": "QPID-LOG-3"}]
        case "underfull twice":
            return [event, {**event, "fault": "QPID-LOG-3"}]
        case "released twice":
            return [event, {**event, "fault": "QPID-LOG-4"}]
    late = {
        **event,
        "kind": str(Kind.STOP),
        "bytes": None,
        "resume": None,
        "cause": STOPPED_CHANNEL,
        "channel": "late",
        "fault": "QPID-LOG-2",
    }
    return [event, late]


@dataclass(frozen=True)
class EventsFile:
    """The events of a split, and their number."""

    path: Path
    events: int


@dataclass(frozen=True)
class Generated:
    """The splits of the stream, and for every fault the violated rule, the source and the seq."""

    files: tuple[EventsFile, ...]
    faults: frozenset[tuple[str, str, int]]


def generate(folder: Path, events: int, per_split: int) -> Generated:
    """Write `events` events to the folder, a Parquet file for each split of the stream."""
    found: set[tuple[str, str, int]] = set()
    files = []
    for ordinal, split in enumerate(_splits(events, per_split), start=1):
        path = folder / f"events-{ordinal:04}.parquet"
        broken = split.filter(pl.col("fault").is_not_null())
        found |= set(broken.select("fault", "source", "seq").iter_rows())
        split.select(EVENT_COLUMNS).cast(dict(polars_schema(*EVENT_COLUMNS))).write_parquet(path)
        files.append(EventsFile(path, split.height))
    return Generated(tuple(files), frozenset(found))


def _splits(events: int, per_split: int) -> Iterator[pl.DataFrame]:
    waiting: list[pl.DataFrame] = []
    size = told = 0
    for part in _strung(events):
        waiting.append(part)
        size += part.height
        while size >= per_split or (waiting and told + size >= events):
            taken = min(per_split, events - told)
            frame = pl.concat(waiting)
            yield _placed(frame.head(taken), told, line=1)
            waiting, size, told = [frame.slice(taken)], size - taken, told + taken
            if told >= events:
                return


def _strung(events: int) -> Iterator[pl.DataFrame]:
    rng = random.Random(events)
    truthful = [simulation(seed, faults=False) for seed in range(KINDS_OF_SIMULATION)]
    faulty = simulation(KINDS_OF_SIMULATION, faults=True)
    told, due = 0, min(FAULTY_EVERY, events) // 2
    while told < events:
        part = faulty if told >= due else rng.choice(truthful)
        due += FAULTY_EVERY if told >= due else 0
        told += part.height
        yield part


def _placed(frame: pl.DataFrame, told: int, line: int) -> pl.DataFrame:
    """The events with their lines in the split, and with their seq and time in the whole stream."""
    number = pl.int_range(pl.len(), dtype=pl.Int64)
    placed = frame.with_columns(
        (number + line).alias("line"),
        ((1 << FILE_BITS) + (number + told) * LINE_BYTES + 1).alias("seq"),
        (1_700_000_000_000 + number + told).alias("time"),
        pl.lit(INPUT).alias("input"),
    )
    missing = [name for name in EVENT_COLUMNS if name not in placed.columns]
    return placed.with_columns(
        pl.lit(None, dtype=pl.Int64 if name in NUMBERS else pl.String).alias(name) for name in missing
    )
