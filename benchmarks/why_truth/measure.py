"""Compare the answers of `tidegate why` with runs of real brokers whose trace shows the truth.

    measure.py FOLDER... [--seed N] [--each N] [--only WORD...] [--without VERSION...] [--worst N]

Each folder has broker-NAME.log and trace-NAME.jsonl of one run. The seed draws instants, the kept part of the log, its
layout, and whether a queue is named and a configuration stands beside the log.
"""

import argparse
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from configs import configuration
from cuts import Kept, Log, cut
from judge import RIGHT, UNSHOWN, UNTOLD, VERDICTS, WRONG, Judge, Judged
from layouts import LAYOUTS, records
from marks import product
from truth import Instant, Run, State, run

from tidegate.why.answer import Answer, Asked, answer
from tidegate.why.configured import configurations
from tidegate.why.decoding import opened
from tidegate.why.reading import read

NAME = re.compile(r"(?:artemis(?:-core|-openwire|-stomp)?|classic|qpid)-\d+(?:\.\d+)*")
"""The product and version of a run in the names of its files."""
BY_COMMAND = 0.02
"""The share of questions that are also put to the command."""


@dataclass(frozen=True)
class Question:
    """One question, and the judgement of its answer."""

    run: str
    at: Instant
    cut: str
    layout: str
    queue: bool
    judged: Judged
    files: tuple[str, ...]
    answer: Answer


def main() -> None:
    """Ask about instants of every run, and print the verdicts on the answers."""
    options = _options()
    print(f"seed {options.seed}, {options.each} instants of each run")
    runs = list(_runs(options.folders, options.only, options.without))
    logs = {name: log for name, log, _ in runs}
    found = []
    for name, log, told in runs:
        began = time.monotonic()
        draw = random.Random(f"{options.seed} {name}")
        others = [each for each in sorted(logs) if product(each) != product(name)]
        other = logs[draw.choice(others)] if others else log
        asked = [_asked(name, at, log, other, told, draw) for at in _drawn(told.instants, options.each, draw)]
        found += asked
        print(f"{name}: {len(asked)} in {time.monotonic() - began:.0f} s", file=sys.stderr)
    _table(found)
    _worst(found, options.worst)
    if options.unshown:
        _unshown(found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--unshown", action="store_true", help="List what is not shown too.")
    return parser.parse_args()


def _runs(folders: list[Path], only: list[str], without: list[str]) -> Iterator[tuple[str, Log, Run]]:
    for folder in folders:
        traces = sorted(folder.glob("trace-*.jsonl"))
        if not traces:
            raise SystemExit(f"{folder}: expected a folder with a trace-PRODUCT-VERSION.jsonl of a run")
        for trace in traces:
            version = trace.name.removeprefix("trace-").removesuffix(".jsonl")
            log = folder / f"broker-{version}.log"
            if not log.exists() or version in without or (only and version not in only):
                continue  # the run of a client alone has no log of a broker
            if NAME.fullmatch(version) is None:
                raise SystemExit(
                    f"{trace}: expected a name such as trace-artemis-core-2.44.0.jsonl, with a version in figures"
                )
            name = f"{version} of {folder.parent.name}/{folder.name}"
            yield name, Log(product(version), records(log)), run(trace)


def _drawn(instants: tuple[Instant, ...], count: int, draw: random.Random) -> list[Instant]:
    """Instants of each state up to its share of `count`, and at most two of a scenario."""
    by_state = defaultdict(list)
    for at in instants:
        by_state[at.state].append(at)
    shares = {State.BLOCKED: 0.4, State.SEVERAL: 0.15, State.FREE: 0.2, State.NEVER: 0.1, State.REFUSED: 0.15}
    found = []
    for state, share in shares.items():
        there = by_state[state]
        draw.shuffle(there)
        seen: Counter[str] = Counter()
        for at in there:
            if seen[at.source] < 2 and seen.total() < max(1, round(count * share)):
                seen[at.source] += 1
                found.append(at)
    return found


def _asked(name: str, at: Instant, log: Log, other: Log, told: Run, draw: random.Random) -> Question:
    kept = cut(log, at, other, draw)
    layout = draw.choice(list(LAYOUTS))
    queue = draw.random() < 0.5
    configured = draw.random() < 0.5 and at.state is State.BLOCKED and " " not in at.destination
    with tempfile.TemporaryDirectory() as folder:
        files = _written(kept, layout, Path(folder))
        version = name.partition(" ")[0].rpartition("-")[2]
        beside = configuration(log.of, version, at, Path(folder)) if configured else None
        said_there = (configurations(str(beside)) or ()) if beside is not None else ()
        with ExitStack() as stack:
            there = [(str(file), stack.enter_context(opened(str(file)))) for file in files]
            said = answer(read(there), Asked(queue=at.destination if queue else "", configurations=said_there))
        texts = tuple(_text(file) for file in files)
        if draw.random() < BY_COMMAND:
            _by_command([*files, *([beside] if beside is not None else [])], at.destination if queue else "", said)
    judged = Judge(
        log.of, at, kept.records, told.at_resume, at.destination if queue else "", beside is not None
    ).judged(said)
    return Question(name, at, kept.name, layout, queue, judged, texts, said)


def _by_command(paths: list[Path], queue: str, said: Answer) -> None:
    """Ask the command too. SystemExit if it says otherwise."""
    named = ["--queue", queue] if queue else []
    command = str(Path(sys.executable).with_name("tidegate"))
    ran = subprocess.run([command, "why", *map(str, paths), *named, "--json"], capture_output=True, check=False)
    held = json.loads(ran.stdout)["held"]
    expected = None if said.held is None else said.held.place
    if (held and held["place"]) != expected:
        raise SystemExit(f"the command says {held}, and the library {said.held}")


def _written(kept: Kept, layout: str, folder: Path) -> list[Path]:
    found = []
    for place, file in enumerate(kept.files):
        lines = [line for number, record in enumerate(file, 1) for line in LAYOUTS[layout](record, number)]
        text = "\n".join(lines) + "\n" * (kept.name != "within a record")
        packed = kept.packed and place == 0
        path = folder / ("broker.log.1.gz" if packed else f"broker{place or ''}.log")
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        found.append(path)
    return found


def _text(file: Path) -> str:
    data = file.read_bytes()
    return (gzip.decompress(data) if file.suffix == ".gz" else data).decode()


def _table(found: list[Question]) -> None:
    for title, key in (
        ("run", lambda one: one.run),
        ("state", lambda one: str(one.at.state)),
        ("cut", lambda one: one.cut),
        ("layout", lambda one: one.layout),
    ):
        print(f"\n| {title} | asked | {' | '.join(VERDICTS)} | right of what is shown |\n|---|" + "---:|" * 6)
        rows = defaultdict(list)
        for one in found:
            rows[key(one)].append(one.judged.overall)
            rows["all"].append(one.judged.overall)
        for row in sorted(rows, key=lambda row: (row == "all", row)):
            count = Counter(rows[row])
            shown = len(rows[row]) - count[UNSHOWN]
            share = f"{100 * count[RIGHT] / shown:.1f} %" if shown else "–"
            print(f"| {row} | {len(rows[row])} | {' | '.join(str(count[each]) for each in VERDICTS)} | {share} |")
    print(f"\n| question | asked | {' | '.join(VERDICTS)} |\n|---|" + "---:|" * 5)
    questions = defaultdict(Counter)
    for one in found:
        for question, verdict in one.judged.verdicts.items():
            questions[question][verdict] += 1
    for question, count in questions.items():
        print(f"| {question} | {count.total()} | {' | '.join(str(count[each]) for each in VERDICTS)} |")


def _unshown(found: list[Question]) -> None:
    for one in found:
        if one.judged.overall == UNSHOWN:
            print(f"not shown: {one.run}, {one.at.state}, {one.at.destination} at {one.at.time}, cut {one.cut}: "
                  f"{one.judged.verdicts} {one.judged.why}")  # fmt: skip


def _worst(found: list[Question], most: int) -> None:
    bad = [one for one in found if one.judged.overall in (WRONG, UNTOLD)]
    bad.sort(key=lambda one: -VERDICTS.index(one.judged.overall))
    for one in bad[:most]:
        at, held = one.at, one.answer.held
        how = f"cut {one.cut}, layout {one.layout}, {'with' if one.queue else 'without'} --queue"
        print(f"\n{one.judged.overall}: {one.run}, {at.state}, {at.destination} at {at.time}, {how}")
        print(f"  {one.judged.verdicts}: {one.judged.why}")
        if held is None:
            print(f"  told: {one.answer.state}, aside {one.answer.aside}")
        else:
            figures = f"{held.setting} = {held.limit}, level {held.level}, to go {held.missing}/{held.usually}"
            print(f"  told: {one.answer.state}, {held.place}, since {held.since}, until {held.until}, {figures}")
        for line in [line for line in one.files[-1].splitlines() if at.destination in line][-4:]:
            print(f"    {line[:400]}")


if __name__ == "__main__":
    main()
