"""An adapter with untrustworthy observations makes a run unknown, unless a violated rule explains its answers."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import html5lib
import pytest
from rich.console import Console

from tests.cli.command import tidegate
from tests.conformance.sample_report import sample_report
from tests.sample import nightly
from tidegate.adapters.base import Adapter, AdapterError, Depth, Limits, Standing
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.conformance.report import badge, html, junit, markdown, terminal, trust
from tidegate.conformance.report.store import read_report, write_report
from tidegate.conformance.report.verdicts import exit_code, footer
from tidegate.conformance.smoke import Step, look
from tidegate.conformance.watchdog import Watchdog
from tidegate.record.errors import ExitCode
from tidegate.record.report import ImplementationReport
from tidegate.record.verdict import Verdict

COUNTS_WHAT_WAITS = """\
from dataclasses import replace

from tidegate.adapters.reference.qpid import QpidReference


class CountsWhatWaits(QpidReference):
    # depth says nothing of messages that were handed out and are not acknowledged
    def start(self):
        super().start()
        self.sizes, self.out = {}, {}

    def send(self, producer, message_id, size_bytes):
        self.sizes[message_id] = size_bytes
        return super().send(producer, message_id, size_bytes)

    def take(self, consumer):
        found = super().take(consumer)
        if found is not None:
            self.out[consumer, found.message_id] = found
        return found

    def acknowledge(self, consumer, message_id):
        super().acknowledge(consumer, message_id)
        self.out.pop((consumer, message_id), None)

    def close_consumer(self, consumer):
        super().close_consumer(consumer)
        self.out = {key: found for key, found in self.out.items() if key[0] != consumer}

    def kill(self, connection):
        super().kill(connection)
        self.out = {key: found for key, found in self.out.items() if key[0] != connection}

    def end_scenario(self):
        super().end_scenario()
        self.out = {}

    def depth(self, destination):
        whole = super().depth(destination)
        out = [found.message_id for found in self.out.values() if found.destination == destination]
        size = sum(self.sizes[message_id] for message_id in out)
        return replace(whole, bytes=max(0, whole.bytes - size), messages=max(0, whole.messages - len(out)))


class ClaimsNothing(QpidReference):
    capabilities = frozenset()


class ClaimsNoMechanism(QpidReference):
    capabilities = frozenset({"purge", "close-clients"})
"""


def test_what_a_depth_that_cannot_be_trusted_leads_to_is_violated_beside_the_finding(tmp_path: Path) -> None:
    """A level of 0 beside a stopped producer: one of both answers is wrong, so the adapter keeps no rule."""
    (tmp_path / "odd.py").write_text(COUNTS_WHAT_WAITS, encoding="utf-8")
    rules = ("--rule", "GENERAL-8", "--only", "scenario")
    ended = tidegate("run", "--adapter", "odd:CountsWhatWaits", *rules, "--report", "out", folder=tmp_path)
    assert ended.returncode == ExitCode.VIOLATED, ended.stderr
    assert "depth('smoke1.queue') answered Depth(bytes=0, messages=0), expected Depth(bytes=400" in ended.stdout
    assert "findings about the adapter: 1" in ended.stdout


@pytest.mark.parametrize(
    ("adapter", "words", "kept"),
    [
        nightly(
            pytest.param("ClaimsNothing", "capabilities answered none, expected a mechanism that stops producers", 5)
        ),
        ("ClaimsNoMechanism", "capabilities answered close-clients, purge, expected a mechanism that stops", 6),
    ],
)
def test_a_run_by_which_nothing_is_known_does_not_end_well(tmp_path: Path, adapter: str, words: str, kept: int) -> None:
    (tmp_path / "odd.py").write_text(COUNTS_WHAT_WAITS, encoding="utf-8")
    arguments = ("--adapter", f"odd:{adapter}", "--report", "out", "--badge", "badge.json")
    ended = tidegate("run", *arguments, folder=tmp_path)
    assert ended.returncode == ExitCode.UNKNOWN, ended.stderr
    assert words in ended.stdout
    assert "findings about the adapter: 1" in ended.stdout
    shown = json.loads((tmp_path / "badge.json").read_text(encoding="utf-8"))
    assert shown["color"] == "yellow" and "adapter not trusted" in shown["message"]
    report = read_report(tmp_path / "out" / "report.json")
    assert report.footer.verdicts["kept"] == kept
    trace = ("trace", "check", "out", "--against", "out/report.json", "--report", "again")
    # a run that could not trust its adapter has no result with which its trace can be compared
    assert tidegate(*trace, folder=tmp_path).returncode == (ExitCode.OK if kept else ExitCode.UNKNOWN)


@pytest.mark.parametrize("name", sorted(resolve("reference")))
def test_every_profile_of_the_reference_answers_as_expected(name: str) -> None:
    adapter = resolve("reference")[name]()
    adapter.start()
    assert look(adapter, Watchdog(30_000)) == ()
    adapter.stop()


class RefusesToRollBack(QpidReference):
    def rollback(self, producer: str) -> None:
        raise AdapterError("it will not")


class CountsNothing(QpidReference):
    def depth(self, destination: str) -> Depth:
        return Depth(0, 0)


class CountsNothingOnRealTime(CountsNothing):
    """A broker whose first answer is wrong, with no time for a second look."""

    parameters = replace(QpidReference.parameters, never_ms=1)


class RefusesToRollBackInRealTime(RefusesToRollBack):
    parameters = replace(QpidReference.parameters, never_ms=1)


class StopsNobody(QpidReference):
    def standing(self, producer: str) -> Standing:
        return replace(super().standing(producer), stopped=False)


@pytest.mark.parametrize(
    ("adapter", "asked"),
    [
        (QpidReference(), []),
        (CountsNothing(), ["depth"]),
        (CountsNothingOnRealTime(), ["depth"]),
        (StopsNobody(), ["standing"]),
        (RefusesToRollBack(), ["rollback"]),
        (RefusesToRollBackInRealTime(), []),
    ],
)
def test_the_adapter_is_looked_at_up_to_the_verb_that_others_build_on(adapter: Adapter, asked: list[str]) -> None:
    adapter.start()
    steps = look(adapter, Watchdog(30_000))
    assert [step.verb for step in steps] == asked
    adapter.declare("smoke1.queue", Limits())  # nothing is left of the walk in whose place another could stand
    assert adapter.depth("smoke1.queue") == Depth(0, 0)
    adapter.stop()


def with_steps(*steps: Step, violated: tuple[str, ...] = ()) -> ImplementationReport:
    """The sample's reference after these steps of the walk, with all rules kept but the `violated` ones."""
    each = sample_report().implementations[0]
    verdicts = tuple(replace(one, verdict=Verdict.VIOLATED) if one.rule in violated else one for one in each.verdicts)
    return trust.judged(replace(each, verdicts=verdicts), steps, catalogue())


DEPTH = Step("depth('q')", "Depth(0)", "Depth(400)", "count")
CREDIT = Step("standing('p')", "stopped", "free", "look", frozenset({"amqp-credit"}))


@pytest.mark.parametrize(
    ("step", "violated", "unknown", "explained_by", "code"),
    [
        (DEPTH, (), 16, (), ExitCode.UNKNOWN),
        (DEPTH, ("ARTEMIS-AMQP-2",), 15, (), ExitCode.VIOLATED),
        (DEPTH, ("GENERAL-2",), 0, ("GENERAL-2",), ExitCode.VIOLATED),
        (CREDIT, (), 12, (), ExitCode.UNKNOWN),
        (CREDIT, ("GENERAL-2",), 12, (), ExitCode.VIOLATED),
        (replace(DEPTH, raised=True), (), 0, (), ExitCode.UNKNOWN),
        (replace(DEPTH, raised=True), ("GENERAL-2",), 0, ("GENERAL-2",), ExitCode.VIOLATED),
        (CREDIT, ("ARTEMIS-AMQP-2",), 0, ("ARTEMIS-AMQP-2",), ExitCode.VIOLATED),
    ],
)
def test_what_no_violated_rule_explains_makes_what_was_kept_unknown(
    step: Step, violated: tuple[str, ...], unknown: int, explained_by: tuple[str, ...], code: ExitCode
) -> None:
    each = with_steps(step, violated=violated)
    (finding,) = each.findings
    assert (len(finding.unknown), finding.explained_by) == (unknown, explained_by)
    assert sum(one.verdict is Verdict.UNKNOWN for one in each.verdicts) == unknown
    assert {one.rule for one in each.verdicts if one.verdict is Verdict.VIOLATED} == set(violated)
    assert exit_code([each]) is code


def test_a_declared_violation_that_explains_it_excuses_it_too() -> None:
    each = with_steps(DEPTH, violated=("GENERAL-2",))
    declared = tuple(
        replace(one, known_deviation="so it is") if one.rule == "GENERAL-2" else one for one in each.verdicts
    )
    assert exit_code([replace(each, verdicts=declared)]) is ExitCode.OK


def test_every_rendering_names_the_finding_once_and_no_rule_that_the_finding_makes_unknown(tmp_path: Path) -> None:
    each = with_steps(DEPTH)
    report = replace(sample_report(), implementations=(each,), footer=footer((each,)))
    said = (
        "depth('q') answered Depth(0), expected Depth(400); so 16 rules that were kept are unknown; to mend it: count"
    )
    console = Console(width=200, record=True, file=StringIO())
    terminal.show(report, console)
    shown = console.export_text()
    assert shown.count(said) == 1 and "QPID-QUEUE-1" not in shown and "GENERAL-1" not in shown
    assert markdown.render(report).replace("\\", "").count(said) == 1
    page = html5lib.HTMLParser(namespaceHTMLElements=False).parse(html.render(report))
    assert "".join(page.itertext()).count(said) == 1
    assert "adapter: depth(&#39;q&#39;)" in junit.render(report).replace("'", "&#39;")
    assert badge.badge_of(report).message == "16 unknown, 0 kept, adapter not trusted"
    write_report(report, tmp_path / "report.json")
    assert read_report(tmp_path / "report.json") == report
