"""`tidegate bisect` as a user runs it: what it prints of runs, how it ends, and what it refuses."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.cli.command import tidegate
from tidegate.cli import sources
from tidegate.cli.bisect import between, bisect
from tidegate.cli.sources import Ended, read
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.verdict import Verdict

REPORT = Path(__file__).parents[2] / "reports" / "qpid-10.1.0" / "report.json"
RULE = "QPID-QUEUE-1"
VERSIONS = ("10.1.0", "9.2.1", "8.0.6", "7.1.12", "6.1.7", "0.20", "0.18")
KEPT, VIOLATED, UNKNOWN = Verdict.KEPT, Verdict.VIOLATED, Verdict.UNKNOWN


def run_with(verdicts: Sequence[Verdict | None], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """The command on versions, oldest first, whose runs end with these verdicts; None is one that does not start."""
    of = dict(zip(reversed(VERSIONS), verdicts, strict=True))
    earlier = read("qpid", REPORT)
    assert earlier.report is not None
    report = earlier.report

    def run(name: str, folder: Path, options: Sequence[str]) -> Ended:
        assert options == ["--rule", RULE]
        verdict = of[name.removeprefix("qpid:")]
        if verdict is None:
            return Ended(name, ExitCode.BAD_INPUT, None, folder, "it ended before it was ready")
        (seen,) = report.implementations
        judged = [replace(each, verdict=verdict, reason="why") for each in seen.verdicts if each.rule == RULE]
        code = {KEPT: ExitCode.OK, VIOLATED: ExitCode.VIOLATED, UNKNOWN: ExitCode.UNKNOWN}[verdict]
        return Ended(name, code, replace(report, implementations=(replace(seen, verdicts=tuple(judged)),)), folder)

    monkeypatch.setattr(sources, "run", run)
    monkeypatch.setattr("tidegate.adapters.process.brokers.tried_versions", lambda broker: VERSIONS)
    return CliRunner().invoke(bisect, [RULE, "qpid", *arguments])


def test_the_two_versions_are_named_and_the_newer_one_says_how_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run_with([KEPT, KEPT, KEPT, VIOLATED, VIOLATED, VIOLATED, VIOLATED], monkeypatch)
    first, *_, last = shown.stdout.splitlines()
    assert first.startswith("qpid:0.18: kept, ")
    assert last == "QPID-QUEUE-1: kept in qpid:6.1.7, violated in qpid:7.1.12"
    assert shown.exit_code == ExitCode.VIOLATED


def test_a_change_for_the_better_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run_with([VIOLATED, KEPT, KEPT, KEPT, KEPT, KEPT, KEPT], monkeypatch)
    assert shown.stdout.endswith("QPID-QUEUE-1: violated in qpid:0.18, kept in qpid:0.20\n")
    assert shown.exit_code == ExitCode.OK


def test_a_version_without_a_verdict_is_passed_over_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run_with([KEPT, KEPT, None, UNKNOWN, VIOLATED, VIOLATED, VIOLATED], monkeypatch)
    assert "qpid:7.1.12: passed over (unknown: why)" in shown.stdout
    assert "qpid:6.1.7: passed over (it ended before it was ready)" in shown.stdout
    *_, one, other, last = shown.stdout.splitlines()
    assert one == "qpid:6.1.7 stands between the two, and has no verdict"
    assert other == "qpid:7.1.12 stands between the two, and has no verdict"
    assert last == "QPID-QUEUE-1: kept in qpid:0.20, violated in qpid:8.0.6"


def test_only_the_versions_asked_for_run(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run_with([KEPT, VIOLATED, VIOLATED, VIOLATED, VIOLATED, KEPT, KEPT], monkeypatch,
                     "--from", "6.1.7", "--to", "8.0.6")  # fmt: skip
    assert shown.stdout.endswith("QPID-QUEUE-1: no change, violated in every version that ran\n")
    assert len(shown.stdout.splitlines()) == 3
    assert shown.exit_code == ExitCode.VIOLATED


@pytest.mark.parametrize(
    ("verdict", "code"), [(None, ExitCode.BAD_INPUT), (UNKNOWN, ExitCode.UNKNOWN)], ids=["not had", "unknown"]
)
def test_without_a_verdict_nothing_is_said_of_a_change(
    verdict: Verdict | None, code: ExitCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = run_with([verdict] * 7, monkeypatch)
    assert shown.stdout.endswith("QPID-QUEUE-1: no version of qpid has a verdict\n")
    assert shown.exit_code == code


def test_one_verdict_alone_cannot_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with([KEPT, *[None] * 6], monkeypatch).exit_code == ExitCode.UNKNOWN


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["QPID-QUEUE-1"], "expected a rule and the name of a broker, not QPID-QUEUE-1"),
        (["--check", "a check"], "expected the name of a broker beside --check, not nothing"),
        (["QPID-QUEUE-99", "qpid"], "expected a rule id, not 'QPID-QUEUE-99'"),
        (["QPID-QUEUE-1", "rabbit"], "no versions of a broker 'rabbit' can be started"),
        (["QPID-QUEUE-1", "qpid", "--from", "3"], "--from 3: expected a version that was tried: 0.18"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    ended = tidegate("bisect", *arguments, folder=tmp_path)
    assert ended.returncode == ExitCode.BAD_INPUT
    assert ended.stderr.startswith(f"tidegate: {sentence}") and len(ended.stderr.splitlines()) == 1


def test_versions_are_in_order_whatever_order_they_are_tried_in() -> None:
    assert between(VERSIONS, "0.20", None) == ["0.20", "6.1.7", "7.1.12", "8.0.6", "9.2.1", "10.1.0"]
    with pytest.raises(BadInput, match=r"newer than 8\.0\.6, not 0\.20"):
        between(VERSIONS, "8.0.6", "0.20")


@pytest.mark.nightly
@pytest.mark.real_broker
def test_real_versions_are_run(tmp_path: Path) -> None:
    options = ("--from", "0.20", "--to", "7.1.12", "--report", "kept")
    ended = tidegate("bisect", "QPID-QUEUE-3", "qpid", *options, folder=tmp_path)
    assert ended.returncode == ExitCode.VIOLATED, ended.stderr
    *_, last = ended.stdout.splitlines()
    assert last == "QPID-QUEUE-3: kept in qpid:6.1.7, violated in qpid:7.1.12"
    assert (tmp_path / "kept" / "qpid-6.1.7" / "report.json").is_file()
