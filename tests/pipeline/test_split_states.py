"""What splits hand to one another: parts and states as the model defines them, kept in files, and never too large."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.cut import AT_ONCE, IN_TURN, MOST, STREAM, Said, by_folds, cut, lines_before, said, table, written
from tidegate.model.language.past import OPERATORS, LatestPart, latest, total
from tidegate.model.language.rule import Definition
from tidegate.model.language.tracing import given as judged_when
from tidegate.model.language.tracing import trace_rule
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE, UNDERFULL_QUEUE
from tidegate.model.traces.run_rules import OF_RUNS
from tidegate.pipeline.lowering import occurrence
from tidegate.pipeline.runner import Here
from tidegate.pipeline.splits import tables
from tidegate.pipeline.splits.expressions import Expressions
from tidegate.pipeline.splits.figures import TooLarge
from tidegate.pipeline.splits.judging import judge
from tidegate.pipeline.splits.operators import FORMS
from tidegate.pipeline.splits.plan import Group, names_of, plan_of
from tidegate.pipeline.splits.summary import Carried, Summary, fingerprint, read_carried, read_summary, summary_of
from tidegate.pipeline.terms import Sort, column
from tidegate.record.errors import BadInput
from tidegate.record.events import MOST as LARGEST
from tidegate.record.events import Event, Kind, Moment

RUNNERS = pytest.mark.parametrize("runner", [IN_TURN, AT_ONCE], ids=["in turn", "at once"])
WAYS = pytest.mark.parametrize("loop", [False, True], ids=["by columns", "by a loop"])
FIGURES = st.integers(-5, 5)
LATEST_PARTS = st.builds(LatestPart, seen=st.just(True), value=FIGURES) | st.just(LatestPart(seen=False, value=0))
BYTES = column("bytes", Sort.NUMBER)
BOTH = {
    "past_0": occurrence(latest, BYTES, when=BYTES > 0, per=(column("channel", Sort.TEXT),)),
    "past_1": occurrence(total, BYTES, per=(column("channel", Sort.TEXT),)),
}
GROUP = Group(1, BOTH["past_0"].keys, BOTH, Expressions())
Parts = dict[str, tuple[LatestPart, int]]
"""By key the part of each of the two operators."""
PARTS = st.dictionaries(st.sampled_from("abc"), st.tuples(LATEST_PARTS, FIGURES))


@trace_rule
def bytes_add_up(e: Moment) -> bool:
    """TEST-SUM: all bytes together are not 7."""
    judged_when(e.kind == Kind.SEND)
    return total(e.bytes, per=(e.destination,)) != 7


@trace_rule
def three_times_as_much(e: Moment) -> bool:
    """TEST-TIMES: three times the bytes are above the limit."""
    judged_when(e.kind == Kind.SEND)
    return 3 * e.bytes > e.limit


SUM, TIMES = (plan_of((f"{__name__}:{name}",)).rules[0].rule for name in ("bytes_add_up", "three_times_as_much"))


def as_table(parts: Parts) -> pl.DataFrame:
    rows = [("s", key, first.seen, first.value, sums) for key, (first, sums) in parts.items()]
    kinds = (pl.String, pl.String, pl.Boolean, pl.Int64, pl.Int64)
    names = ("source", "key.0", "past_0.part.seen", "past_0.part.value", "past_1.part")
    return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


def as_states(states: dict[str, tuple[int, int]]) -> pl.DataFrame:
    rows = [("s", key, *values) for key, values in states.items()]
    schema = {"source": pl.String, "key.0": pl.String, "past_0": pl.Int64, "past_1": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def sends(*sizes: int, first: int = 1) -> list[Event]:
    return [
        Event(source="s", seq=seq, time=0, kind=Kind.SEND, destination="q", bytes=size, limit=1)
        for seq, size in enumerate(sizes, start=first)
    ]


def test_every_operator_of_the_model_has_its_forms() -> None:
    assert set(FORMS) == set(OPERATORS) == {found.operator for found in BOTH.values()}


@settings(deadline=None, max_examples=40)
@given(first=PARTS, then=PARTS)
def test_tables_of_parts_are_combined_as_the_model_combines_parts(first: Parts, then: Parts) -> None:
    units = (OPERATORS[latest].unit, OPERATORS[total].unit)
    expected = {
        key: tuple(
            OPERATORS[operator].combine(first.get(key, units)[n], then.get(key, units)[n])
            for n, operator in enumerate((latest, total))
        )
        for key in {**first, **then}
    }
    made = tables.combine(GROUP, as_table(first), as_table(then))
    assert made.sort("key.0").rows() == as_table(expected).sort("key.0").rows()  # type: ignore[arg-type]


@settings(deadline=None, max_examples=40)
@given(states=st.dictionaries(st.sampled_from("abc"), st.tuples(FIGURES, FIGURES)), parts=PARTS)
def test_tables_of_states_are_carried_as_the_model_carries_a_state(
    states: dict[str, tuple[int, int]], parts: Parts
) -> None:
    units = (OPERATORS[latest].unit, OPERATORS[total].unit)
    expected = {
        key: tuple(
            OPERATORS[operator].carry(states.get(key, (0, 0))[n], parts.get(key, units)[n])
            for n, operator in enumerate((latest, total))
        )
        for key in "abcd"
    }
    keys = pl.DataFrame({"source": ["s"] * 4, "key.0": list("abcd")})
    made = tables.carry(GROUP, as_states(states), as_table(parts), keys)
    assert made.sort("key.0").rows() == as_states(expected).rows()  # type: ignore[arg-type]


def run_in_parts(
    folder: Path, events: Sequence[Event], rules: Sequence[Definition], runner: Here, places: Sequence[int]
) -> tuple[Said, Carried]:
    """Each split by a run of its own, which goes on from what the one before it kept in a file, in the other way."""
    files, counts, shown = cut(folder, events, places), {rule.name: (0, 0) for rule in rules}, {}
    before, kept = lines_before(files), folder / "kept"
    for number, file in enumerate(files):
        carried = {STREAM: read_carried(kept)} if kept.exists() else {}
        found = judge(
            [file], {STREAM: rules}, runner, most=10**6, lines_before=before, carried=carried, keep=True,
            loop=number % 2 == 1,
        )  # fmt: skip
        found.carried[STREAM].write(kept)
        new = said(found)
        counts = {name: (a + new[0][name][0], b + new[0][name][1]) for name, (a, b) in counts.items()}
        shown = {name: (*shown.get(name, ()), *new[1].get(name, ())) for name in {**shown, **new[1]}}
    return (counts, shown), read_carried(kept)


def episodes(count: int) -> list[Event]:
    """Two queues that in turn stop a channel and let it go, twice each third time."""
    said_of: list[dict[str, Any]] = []
    for number in range(count):
        queue, channel = f"q{number % 2}", f"c{number % 2}"
        said_of += [
            {"kind": Kind.OVERFULL, "cause": OVERFULL_QUEUE, "destination": queue, "bytes": 2, "limit": 1},
            {"kind": Kind.STOP, "destination": queue, "channel": channel},
            {"kind": Kind.UNDERFULL, "cause": UNDERFULL_QUEUE, "destination": queue, "bytes": 0, "resume": 1},
            *[{"kind": Kind.RELEASE, "channel": channel}] * (2 if number % 3 == 2 else 1),
        ]
    return [Event(source="s", seq=seq, time=0, **each) for seq, each in enumerate(said_of, start=1)]


@RUNNERS
def test_episodes_cut_at_every_place_and_into_single_events(tmp_path: Path, runner: Here) -> None:
    events = episodes(5)
    expected, places = by_folds(events, OF_QPID_LOGS), range(1, len(events))
    for at in (*([place] for place in places), places):
        files = cut(tmp_path, events, at)
        found = judge(files, {STREAM: OF_QPID_LOGS}, runner, most=MOST, lines_before=lines_before(files))
        assert said(found) == expected, at


@RUNNERS
def test_runs_that_go_on_from_one_another_say_what_one_run_says(tmp_path: Path, runner: Here) -> None:
    events = episodes(7)
    expected = by_folds(events, OF_QPID_LOGS, most=10**6)
    assert expected[0]["only_a_stopped_channel_is_released"] == (9, 2)
    found, carried = run_in_parts(tmp_path, events, OF_QPID_LOGS, runner, [5, 6, 17])
    assert found == expected
    assert carried.ordinal == 4
    assert carried.ends.rows() == [("s", len(events))]


@RUNNERS
def test_summaries_change_nothing(tmp_path: Path, runner: Here) -> None:
    events, places = episodes(7), [3, 10]
    files = cut(tmp_path, events, places)
    summaries = {}
    for file, (start, end) in zip(files, ((0, 3), (3, 10), (10, None)), strict=True):
        summary_of(table(events[start:end]), OF_QPID_LOGS).write(tmp_path / f"{file.ordinal}.summary")
        summaries[file.path] = read_summary(tmp_path / f"{file.ordinal}.summary")
    found = judge(
        files, {STREAM: OF_QPID_LOGS}, runner, most=MOST, lines_before=lines_before(files), summaries=summaries
    )
    assert said(found) == by_folds(events, OF_QPID_LOGS)


def test_a_summary_is_what_is_judged_by(tmp_path: Path) -> None:
    """A summary of other events leads to another judgement, so it is not made again behind the back."""
    events = episodes(2)
    files = cut(tmp_path, events, [2])
    empty = Summary(fingerprint(OF_QPID_LOGS), summary_of(table(events[:2]), OF_QPID_LOGS).seen)
    parts = {name: part.clear() for name, part in (empty.seen.parts or {}).items()}
    forged = Summary(empty.fingerprint, type(empty.seen)(empty.seen.sources, parts))
    found = judge(files, {STREAM: OF_QPID_LOGS}, AT_ONCE, most=MOST, summaries={files[0].path: forged})
    assert said(found)[0] != by_folds(events, OF_QPID_LOGS)[0]


def test_other_rules_have_another_fingerprint() -> None:
    assert fingerprint(OF_QPID_LOGS) == fingerprint(OF_QPID_LOGS)
    assert len({fingerprint(rules) for rules in (OF_QPID_LOGS, OF_QPID_LOGS[:1], OF_QPID_LOGS[:2], OF_RUNS)}) == 4


def test_judging_here_needs_no_spark(tmp_path: Path) -> None:
    (file,) = cut(tmp_path, episodes(1), [])
    program = f"""
import sys
from pathlib import Path
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE, UNDERFULL_QUEUE
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.runner import Here
from tidegate.pipeline.splits.judging import judge
judge([EventsFile("s", 1, Path({str(file.path)!r}), {file.events})], {{"s": OF_QPID_LOGS}}, Here(), most=1)
print([name for name in sys.modules if name.split(".")[0] in ("pyspark", "py4j")])
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_rules_travel_by_name() -> None:
    assert [lowered.rule for lowered in plan_of(names_of(OF_QPID_LOGS)).rules] == list(OF_QPID_LOGS)
    with pytest.raises(LookupError, match="nothing is no trace rule"):
        plan_of(("tidegate.model.traces.qpid_log_trace:nothing",))


def test_a_file_that_is_no_summary_is_bad_input(tmp_path: Path) -> None:
    written(tmp_path, episodes(1))
    with pytest.raises(BadInput, match="expected what an earlier run of this version kept"):
        read_summary(tmp_path / "stream-1.parquet")
    with pytest.raises(BadInput, match="expected what an earlier run of this version kept"):
        read_carried(tmp_path / "missing")


@RUNNERS
@WAYS
@pytest.mark.parametrize("places", [[], [1], [1, 2]], ids=["one split", "two", "three"])
def test_a_sum_may_be_as_large_as_a_figure_and_no_larger(
    tmp_path: Path, runner: Here, places: list[int], *, loop: bool
) -> None:
    rules = {STREAM: (SUM,)}
    just = cut(tmp_path, sends(LARGEST - 2, 1, 1), places)
    assert said(judge(just, rules, runner, most=1, loop=loop))[0] == {SUM.name: (3, 0)}
    above = cut(tmp_path, sends(LARGEST - 2, 1, 2), places)
    with pytest.raises(TooLarge, match="fit into 64 bit"):
        judge(above, rules, runner, most=1, keep=True, loop=loop)


@WAYS
def test_figures_of_several_keys_are_not_one_sum(tmp_path: Path, *, loop: bool) -> None:
    """Their sum passes 64 bit, and nothing that a rule looks at does."""
    first, second = sends(LARGEST, 0), sends(LARGEST, 0)
    events = [*first, *(Event(source="t", seq=e.seq, time=0, kind=e.kind, bytes=e.bytes, limit=1) for e in second)]
    found = judge(cut(tmp_path, events, []), {STREAM: (SUM,)}, IN_TURN, most=1, loop=loop)
    assert said(found) == by_folds(events, [SUM], 1)


@WAYS
def test_products_that_pass_64_bit_are_compared_as_they_are(tmp_path: Path, *, loop: bool) -> None:
    """Three times the largest figure would be below 0 if it were wrapped around."""
    events = sends(LARGEST, 0, 1)
    found = said(judge(cut(tmp_path, events, []), {STREAM: (TIMES,)}, IN_TURN, most=1, loop=loop))
    assert found == by_folds(events, [TIMES], 1) == ({TIMES.name: (3, 1)}, {TIMES.name: ((2, "s", 2),)})
