"""Committed reports are renewed from a run: trimmed, still showing what the run found, and nothing by half."""

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tidegate.catalogue import catalogue
from tidegate.conformance.report.badge import picture
from tidegate.conformance.report.deviations import TO_FILL_IN, read_deviations
from tidegate.conformance.report.store import read_report
from tidegate.conformance.trace_checks import check_trace, claimed_trace_rules
from tidegate.model.language.judge import Judge
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.trace import TraceWriter, read_trace

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "reports" / "artemis-2.44.0"
TRACE = "trace-artemis-2.44.0.jsonl"


def renew(run: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "reports" / "renew.py"), str(run), "--to", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of a run: that of the committed report stands for one."""
    return Path(shutil.copytree(COMMITTED, tmp_path / "run"))


def test_a_renewed_report_is_trimmed_and_judged_as_before(run: Path, tmp_path: Path) -> None:
    ended = renew(run, tmp_path / "new")
    assert ended.returncode == 0, ended.stderr
    whole, trimmed = list(read_trace(run / TRACE)), list(read_trace(tmp_path / "new" / TRACE))
    assert 0 < len(trimmed) <= len(whole)
    results = [
        {check.check: check.result for check in check_trace(folder / TRACE, lambda rule: True)}
        for folder in (run, tmp_path / "new")
    ]
    assert results[0] == results[1]
    assert CheckResult.VIOLATED in results[1].values()
    assert (
        read_report(tmp_path / "new" / "report.json").implementations
        == read_report(run / "report.json").implementations
    )
    by_hand = {"known-deviations.yaml", "broker-artemis-2.44.0.log"}
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"report.json", TRACE, *by_hand}


def test_a_badge_is_drawn_where_there_is_one(run: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(COMMITTED, tmp_path / "artemis-2.44.0"))
    (folder / "badge.svg").write_text("an older one", encoding="utf-8")
    assert renew(run, folder).returncode == 0
    assert (folder / "badge.svg").read_text(encoding="utf-8") == picture(read_report(run / "report.json"))


def test_the_command_of_the_report_does_not_say_where_the_run_was_written_to(run: Path, tmp_path: Path) -> None:
    content = json.loads((run / "report.json").read_text(encoding="utf-8"))
    content["command"] = "tidegate run --adapter artemis --report /somewhere/else"
    (run / "report.json").write_text(json.dumps(content), encoding="utf-8")
    assert renew(run, tmp_path / "new").returncode == 0
    command = read_report(tmp_path / "new" / "report.json").command
    assert command == "tidegate run --adapter artemis --report reports/artemis-2.44.0"


def test_reasons_given_before_are_kept(run: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(COMMITTED, tmp_path / "artemis-2.44.0"))
    assert "to be filled in" not in renew(run, folder).stdout
    declared = read_deviations(folder / "known-deviations.yaml", catalogue())
    before = read_deviations(COMMITTED / "known-deviations.yaml", catalogue())
    assert {one.reason for one in declared} == {one.reason for one in before}


def test_a_new_reason_is_that_of_a_version_with_the_same_figure_or_is_left_to_fill_in(
    run: Path, tmp_path: Path
) -> None:
    text = (run / "report.json").read_text(encoding="utf-8")
    assert "1000 issued" in text
    (run / "report.json").write_text(text.replace("1000 issued", "1001 issued"), encoding="utf-8")
    fresh = renew(run, tmp_path / "fresh")
    written = read_deviations(tmp_path / "fresh" / "known-deviations.yaml", catalogue())
    before = read_deviations(COMMITTED / "known-deviations.yaml", catalogue())
    assert {one.rule for one in written} == {one.rule for one in before}
    left = {one.rule for one in written if one.reason == TO_FILL_IN}
    assert "ARTEMIS-AMQP-2" in left
    assert left <= {"ARTEMIS-AMQP-2", "ARTEMIS-AMQP-3", "GENERAL-7"}, "how often a trace deviates tells no reason"
    assert fresh.stdout.count("reason is to be filled in") == len(left)


def test_notes_on_a_profile_are_kept(run: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(COMMITTED, tmp_path / "artemis-2.44.0"))
    assert renew(run, folder).returncode == 0
    assert (folder / "as-built.yaml").read_text() == (COMMITTED / "as-built.yaml").read_text()


def test_a_trace_that_lacks_what_the_run_found_renews_nothing(run: Path, tmp_path: Path) -> None:
    events = list(read_trace(run / TRACE))
    with TraceWriter(run / TRACE, name="Artemis", version="2.44.0", capabilities=()) as writer:
        for event in events:
            if "reject_threshold" not in event.source:
                writer.write(event)
    ended = renew(run, tmp_path / "new")
    assert ended.returncode == 4
    assert "messages_are_rejected_from_the_threshold_on was violated, and is" in ended.stderr
    assert not (tmp_path / "new").exists()


def test_a_subset_is_no_report_to_commit(tmp_path: Path) -> None:
    adapter = ("--adapter", "reference:artemis", "--subset", "boundary")
    assert tidegate("run", *adapter, "--report", "run", "--quiet", folder=tmp_path).returncode == 0
    ended = renew(tmp_path / "run", tmp_path / "new")
    assert (ended.returncode, ended.stderr.count("expected the whole suite on one implementation")) == (2, 1)


def test_what_no_short_scenario_shows_is_kept_by_the_shortest_that_does(run: Path, tmp_path: Path) -> None:
    report = read_report(run / "report.json").implementations[0]
    code = (
        "import sys, scenes; from pathlib import Path; from tidegate.conformance.report.store import read_report; "
        "scenes.MOST_EVENTS = 0; run = Path(sys.argv[1]); "
        f"kept = scenes.scenes_to_keep(run / '{TRACE}', read_report(run / 'report.json').implementations[0]); "
        "from trim_trace import trim; trim(run / sys.argv[2], Path(sys.argv[3]), kept.__contains__); print(len(kept))"
    )
    arguments = [str(run), TRACE, str(tmp_path / "trimmed.jsonl")]
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT / "reports", capture_output=True, text=True
    )
    judge = Judge(claimed_trace_rules(lambda rule: True))
    shown = {(one.rule.name, one.holds) for event in read_trace(run / TRACE) for one in judge.judge(event)}
    assert 0 < int(ended.stdout) <= len(shown), ended.stderr
    found = {check.check: check.result for check in check_trace(tmp_path / "trimmed.jsonl", lambda rule: True)}
    traces = [check for verdict in report.verdicts for check in verdict.checks if check.kind is CheckKind.TRACE]
    assert {check.check: check.result for check in traces}.items() <= found.items()


def test_of_a_long_log_the_entries_of_kept_scenarios_stay_whole(tmp_path: Path) -> None:
    log, trimmed = tmp_path / "log", tmp_path / "trimmed"
    start = "2026-11-21 03:00:14,398 INFO started\n"
    kept = "2026-11-21 03:00:15,000 WARN blocked 's7.address'\n\tat a.b.C(C.java:1)\n"
    other = "2026-11-21 03:00:16,000 WARN blocked 's70.address'\n\tat a.b.C(C.java:2)\n"
    between = "2026-11-21 03:00:17,000 INFO housekeeping\n"
    log.write_text(start + (kept + other + between) * 300, encoding="utf-8")
    code = "import sys; from pathlib import Path; from trim_log import trim_log; " + (
        "print(trim_log(Path(sys.argv[1]), Path(sys.argv[2]), {'s7.full[at]'}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(log), str(trimmed)], cwd=ROOT / "reports", capture_output=True, text=True
    )
    assert (ended.stdout, ended.stderr) == ("601\n", "")
    assert trimmed.read_text(encoding="utf-8") == start + kept * 300


def test_a_line_of_a_port_that_is_used_again_belongs_to_who_has_it_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "reports"))
    trim_log = import_module("trim_log")
    opened = "2026-01-31 00:00:00 CON-1001 [con:{}(/127.0.0.1:5000)] : Open : Client ID : s{}.producer"
    stopped = "2026-01-31 00:00:01 [con:{}(guest@/127.0.0.1:5000/test)/ch:1] CHN-1005 : Flow Control Enforced"
    kept = [opened.format(2, 2), stopped.format(2)]
    others = [opened.format(1, 1), *[stopped.format(1)] * trim_log.WHOLE_LINES]
    (tmp_path / "broker.log").write_text("\n".join([*others, *kept]) + "\n", encoding="utf-8")
    assert trim_log.trim_log(tmp_path / "broker.log", tmp_path / "trimmed.log", ["s2.a"]) == len(kept)
    assert (tmp_path / "trimmed.log").read_text(encoding="utf-8").splitlines() == kept


def test_of_a_line_with_a_whole_message_only_the_begin_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "reports"))
    trim_log = import_module("trim_log")
    (tmp_path / "broker.log").write_text(f"short\n{'x' * 3000}\nshort\n", encoding="utf-8")
    assert trim_log.trim_log(tmp_path / "broker.log", tmp_path / "trimmed.log", []) == 3
    cut = "x" * trim_log.LONGEST_LINE + " (1,000 more characters)"
    assert (tmp_path / "trimmed.log").read_text(encoding="utf-8").splitlines() == ["short", cut, "short"]
