"""A run ends with a report after any answer: violated if a rule is about the answer, else unknown."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pytest import param as case

from tests.sample import sampled
from tidegate.adapters.base import Delivery, Depth, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.catalogue import catalogue
from tidegate.conformance.assembly import assemble
from tidegate.conformance.report import junit
from tidegate.conformance.report.files import render_all
from tidegate.conformance.report.store import read_report
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.errors import ExitCode
from tidegate.record.report import CheckKind
from tidegate.record.verdict import Verdict

RULES = ("GENERAL-1", "GENERAL-2", "GENERAL-3", "GENERAL-8", "GENERAL-22", "ARTEMIS-AMQP-1")
HUGE = 10**30
TODAY = date(2026, 1, 31)


class Answering(ArtemisReference):
    """The reference with changed answers to one verb: `change` gets the broker and the right answer."""

    def __init__(self, verb: str, change: Callable[["Answering", Any], Any]):
        super().__init__()
        self.handed_out: list[Delivery] = []
        self.asked = 0
        right = getattr(self, verb)

        def answer(*arguments: Any) -> Any:
            self.asked += 1
            return change(self, right(*arguments))

        setattr(self, verb, answer)
        answer.__name__ = verb

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        self.handed_out += [delivery] if delivery else []
        return delivery

    def acknowledge(self, consumer: str, message_id: str) -> None:
        if any(message_id in queue.handed_out for queue in self._storage.queues.values()):
            super().acknowledge(consumer, message_id)

    def end_scenario(self) -> None:
        self.handed_out.clear()
        super().end_scenario()


def told(answering: Answering, standing: Standing, **figures: int | None) -> Standing:
    return replace(standing, **figures)  # type: ignore[arg-type]


def another(answering: Answering, right: Delivery | None) -> Delivery | None:
    """The right answer, or once the destination is empty the first message a second time."""
    ids = [delivery.message_id for delivery in answering.handed_out]
    if right is None and ids and len(ids) == len(set(ids)):
        answering.handed_out.append(answering.handed_out[0])
        return answering.handed_out[0]
    return right


@dataclass(frozen=True)
class Found:
    """The result of a run: its exit code, and the verdict and reason of each rule."""

    code: ExitCode
    verdicts: Mapping[str, tuple[Verdict, str]]


def run(
    folder: Path,
    verb: str,
    change: Callable[[Answering, Any], Any],
    kind: CheckKind = CheckKind.SCENARIO,
    rules: tuple[str, ...] = RULES,
) -> Found:
    conformance = run_suite(
        {"answering": lambda: Answering(verb, change)},
        lambda rule: frozenset(catalogue()[rule].needs),
        folder,
        selection=Selection(rules=rules, kinds=(kind,)),
    )
    assert conformance.errors == []
    render_all(assemble(conformance, (), "", whole=False, today=TODAY), folder)
    report = read_report(folder / "report.json")
    assert junit.render(report)
    verdicts = {one.rule: (one.verdict, one.reason) for one in report.implementations[0].verdicts}
    return Found(ExitCode(report.footer.exit_code), verdicts)


@pytest.mark.parametrize(
    ("rule", "verb", "change"),
    sampled([
        case("GENERAL-22", "depth", lambda _, right: replace(right, bytes=right.bytes - 300), id="bytes below zero"),
        case("GENERAL-22", "depth", lambda _, right: replace(right, messages=-1), id="messages below zero"),
        case("GENERAL-22", "depth", lambda _, right: Depth(1 - 2**63, 1 - 2**63), id="as low as can be"),
        case("GENERAL-8", "depth", lambda _, right: replace(right, bytes=2**63 - 1), id="as high as can be"),
        case("GENERAL-22", "standing", lambda o, right: told(o, right, credit_left=-1), id="credit below zero"),
        case("GENERAL-22", "standing", lambda o, right: told(o, right, credit_issued=-1), id="issued below zero"),
        case("GENERAL-22", "standing", lambda o, right: told(o, right, credit_issued=-o.asked), id="credit shrinks"),
        case("GENERAL-22", "standing", lambda o, right: told(o, right, credit_left=2**62), id="more left than issued"),
        case("GENERAL-1", "take", lambda _, right: Delivery("ghost", right.destination) if right else None,
             id="never sent"),
        case("GENERAL-1", "take", lambda _, right: right and replace(right, destination="elsewhere"),
             id="of another destination"),
        case("GENERAL-1", "take", lambda _, right: right or Delivery("ghost", "elsewhere"), id="ghosts without end"),
        case("GENERAL-2", "take", lambda o, right: (o.handed_out or [None])[0], id="the first without end"),
        case("GENERAL-2", "take", another, id="delivered twice"),
        case("GENERAL-2", "take", lambda _, right: None, id="never delivered"),
    ], kind=lambda each: each.values[1]),
)  # fmt: skip
def test_what_a_rule_speaks_of_violates_it(
    rule: str, verb: str, change: Callable[[Answering, Any], Any], tmp_path: Path
) -> None:
    found = run(tmp_path, verb, change, rules=(rule,))
    assert (found.verdicts[rule][0], found.code) == (Verdict.VIOLATED, ExitCode.VIOLATED), found.verdicts


@pytest.mark.parametrize(
    ("verb", "change", "sentence"),
    sampled([
        case("depth", lambda _, right: None, "answered 'depth' with None: Input should be an instance of Depth",
             id="none"),
        case("depth", lambda _, right: replace(right, bytes=None), "field 'bytes': Input should be a valid integer",
             id="no figure"),
        case("depth", lambda _, right: replace(right, bytes=1.5), "field 'bytes': Input should be a valid integer",
             id="half a byte"),
        case("depth", lambda _, right: replace(right, bytes=HUGE), "field 'bytes': expected a figure of 64 bits",
             id="huge"),
        case("standing", lambda o, right: told(o, right, credit_left=None), "expected both figures of credit, or none",
             id="half of the credit"),
        case("standing", lambda _, right: right.stopped, "with False: Input should be an instance of Standing",
             id="a bool"),
        case("standing", lambda o, right: told(o, right, credit_issued=2**63 - 1, credit_left=-(2**63 - 1)),
             "credit of a drain event exceeds 64 bits", id="figures that differ by more than 64 bits"),
        case("send", lambda _, right: "accepted", "with 'accepted': Input should be an instance of Outcome",
             id="a text"),
        case("take", lambda _, right: right and replace(right, message_id="\ud800"),
             "field 'message_id': expected text that UTF-8 can say", id="half a character"),
    ], kind=lambda each: each.values[0]),
)  # fmt: skip
def test_what_has_no_meaning_is_unknown_and_says_so(
    verb: str, change: Callable[[Answering, Any], Any], sentence: str, tmp_path: Path
) -> None:
    found = run(tmp_path, verb, change)
    assert found.code is ExitCode.UNKNOWN
    assert [reason for verdict, reason in found.verdicts.values() if verdict is Verdict.UNKNOWN and sentence in reason]
    assert Verdict.VIOLATED not in {verdict for verdict, _ in found.verdicts.values()}


def test_the_right_answers_keep_every_rule(tmp_path: Path) -> None:
    found = run(tmp_path, "depth", lambda _, right: right)
    assert {verdict for verdict, _ in found.verdicts.values()} == {Verdict.KEPT}


@pytest.mark.parametrize(
    ("rule", "verb", "change"),
    [
        case("GENERAL-22", "depth", lambda _, right: replace(right, bytes=right.bytes - 300), id="bytes below zero"),
        case("GENERAL-2", "take", lambda o, right: (o.handed_out or [None])[0], id="the first without end"),
    ],
)
def test_random_sequences_end_with_it_too(
    rule: str, verb: str, change: Callable[[Answering, Any], Any], tmp_path: Path
) -> None:
    found = run(tmp_path, verb, change, CheckKind.STATEFUL)
    assert (found.verdicts[rule][0], found.code) == (Verdict.VIOLATED, ExitCode.VIOLATED), found.verdicts


def test_a_figure_below_zero_stands_in_the_trace_and_is_judged_from_there(tmp_path: Path) -> None:
    run(tmp_path, "depth", lambda _, right: replace(right, bytes=right.bytes - 300))
    lines = (tmp_path / "trace-answering.jsonl").read_text(encoding="utf-8").splitlines()
    assert any(json.loads(line).get("bytes", 0) < 0 for line in lines)
