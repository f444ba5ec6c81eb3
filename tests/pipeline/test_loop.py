"""Rules as a compiled loop over events: every rule has one, and what none can say is judged by columns."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

from tests.pipeline.cut import IN_TURN, MOST, STREAM, by_folds, cut, said, table
from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import Definition, rule
from tidegate.model.language.tracing import given, trace_rule, trace_rules
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.rules import every_rule, rules_of
from tidegate.pipeline.splits import by_loop as loops
from tidegate.pipeline.splits import compiled, judging, work
from tidegate.pipeline.splits.evaluation import Evaluation
from tidegate.pipeline.splits.judging import Judgement, judge
from tidegate.pipeline.splits.loop import NoLoop, loop_of
from tidegate.pipeline.splits.plan import names_of, plan_of
from tidegate.record.events import Event, Kind, Moment


@trace_rule
def a_channel_is_called_as_its_producer(e: Moment) -> bool:
    """TEST-TEXTS: a channel and its producer have the same name."""
    given(e.kind == Kind.SEND)
    return e.channel == e.producer


@rule
def sent(e: Moment) -> int:
    """TEST-KEYS: how many messages were sent."""
    return total(1 if e.kind == Kind.SEND else 0, per=())


@trace_rule
def each_size_comes_once(e: Moment) -> bool:
    """TEST-KEYS: between two messages no figure comes twice."""
    given(e.kind == Kind.LEVEL)
    return total(1 if e.kind == Kind.LEVEL else 0, per=(sent(e),)) <= 1  # type: ignore[arg-type]


@trace_rule
def nothing_is_purged(e: Moment) -> bool:
    """TEST-ABSENT: what was sent first was sent after the last purge."""
    given(e.kind == Kind.SEND)
    return latest(e.seq, when=e.kind == Kind.PURGE, per=(e.destination,)) == 0


def rules_called(function: object) -> list[Definition]:
    return [each for each in trace_rules() if each.function is function]


def events() -> list[Event]:
    kinds = [Kind.SEND, Kind.LEVEL, Kind.LEVEL, Kind.SEND, Kind.LEVEL]
    return [
        Event(source="s", seq=seq, time=0, kind=kind, destination="q", channel="c", producer="c" if seq > 1 else "p")
        for seq, kind in enumerate(kinds, start=1)
    ]


def judged(folder: Path, rules: Sequence[Definition], *, loop: bool | None = True, at: Sequence[int] = ()) -> Judgement:
    return judge(cut(folder, events(), at), {STREAM: rules}, IN_TURN, most=MOST, loop=loop)


@pytest.mark.parametrize("form", [TRACE, *LOG_FORMS])
def test_the_rules_of_every_form_have_a_loop(form: str) -> None:
    rules = rules_of(form)
    assert loop_of(plan_of(names_of(rules))).source.count("if not ") == len(rules)


def test_all_rules_together_have_a_loop() -> None:
    assert loop_of(plan_of(names_of(every_rule()))).source.count("if not ") == len(every_rule())


@pytest.mark.parametrize("definition", [a_channel_is_called_as_its_producer, each_size_comes_once])
def test_what_a_loop_cannot_say_is_judged_by_columns(tmp_path: Path, definition: object) -> None:
    rules = rules_called(definition)
    with pytest.raises(NoLoop):
        loop_of(plan_of(names_of(rules)))
    found = said(judged(tmp_path, rules))
    assert found == by_folds(events(), rules)
    assert [violated for _, violated in found[0].values()] == [1]


def test_a_text_that_no_event_has_is_equal_to_none(tmp_path: Path) -> None:
    rules = rules_called(nothing_is_purged)
    assert said(judged(tmp_path, rules)) == by_folds(events(), rules) == ({rules[0].name: (2, 0)}, {})


def test_inputs_in_one_split_are_told_apart(tmp_path: Path) -> None:
    halves = [table(events()[:2], "one"), table(events()[2:], "two")]
    path = tmp_path / "both.parquet"
    pl.concat(halves).write_parquet(path)
    rules = rules_called(nothing_is_purged)
    by_columns, by_loop = (
        judge([EventsFile(STREAM, 1, path, 5)], {STREAM: rules}, IN_TURN, most=MOST, loop=loop)
        for loop in (False, True)
    )
    assert by_loop == by_columns
    assert {name: tally.judged for (name, _), tally in by_loop.tallies.items()} == {"one": 1, "two": 1}


def test_a_machine_without_a_cache_compiles_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(compiled, "cache_folder", lambda what: tmp_path / "file" / "loops")
    compiled.compiled.cache_clear()
    rules = rules_called(nothing_is_purged)
    assert said(judged(tmp_path, rules)) == by_folds(events(), rules)


def test_a_loop_is_kept_and_one_that_was_changed_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda what: tmp_path / "loops")
    compiled.compiled.cache_clear()
    judged(tmp_path, OF_QPID_LOGS)
    (kept,) = (tmp_path / "loops").glob("*.py")
    source = kept.read_text()
    assert source == loop_of(plan_of(names_of(OF_QPID_LOGS))).source
    kept.write_text("raise SystemExit")
    compiled.compiled.cache_clear()
    judged(tmp_path, OF_QPID_LOGS)
    assert kept.read_text() == source


@pytest.mark.parametrize(("pays_from", "way"), [(5, "by_loop"), (6, "by_columns")])
def test_how_many_events_there_are_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pays_from: int, way: str
) -> None:
    ways: list[str] = []

    def noted(name: str, way: Callable[..., Evaluation]) -> Callable[..., Evaluation]:
        return lambda *given: ways.append(name) or way(*given)  # type: ignore[func-returns-value]

    for module, name in ((loops, "by_loop"), (work, "by_columns")):
        monkeypatch.setattr(module, name, noted(name, getattr(module, name)))
    monkeypatch.setattr(judging, "LOOP_PAYS_FROM", pays_from)
    judged(tmp_path, OF_QPID_LOGS, loop=None)
    assert ways == [way]
