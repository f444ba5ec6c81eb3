"""`tidegate trace`: verdicts, evidence, agreement with the run, and how the command ends."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from tests.pipeline.episode import EPISODE, check
from tests.pipeline.episode import report as told_in
from tidegate.cli.trace import trace
from tidegate.conformance.report.store import write_report
from tidegate.conformance.report.verdicts import footer
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.events import Event, Kind
from tidegate.record.report import (
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    Report,
    RuleVerdict,
)
from tidegate.record.trace import TraceWriter
from tidegate.record.verdict import Verdict

LOG = "".join(EPISODE).rstrip("\n")


def taken(message_id: str, *, accepted: bool) -> list[Event]:
    """A message that was sent, and taken though it may have been refused; the queue is then drained."""
    outcome = "accepted" if accepted else "rejected"
    return [
        Event(source="s", seq=1, time=0, kind=Kind.SEND, destination="q", message_id=message_id, outcome=outcome),
        Event(source="s", seq=2, time=0, kind=Kind.TAKE, destination="q", message_id=message_id),
        Event(source="s", seq=3, time=0, kind=Kind.LEVEL, destination="q", bytes=0, cause="drained"),
    ]


def filled_and_emptied() -> list[Event]:
    """A queue that is filled, stops its producers, is emptied and releases them, beside another queue.

    All rules that the trace claims judge some event of it.
    """
    by = {"source": "gate", "time": 0, "destination": "g"}
    first, late, beside = (
        {"channel": name, "producer": name, "connection": name} for name in ("first", "late", "beside")
    )
    other = {**beside, "destination": "other"}
    steps: list[dict[str, Any]] = [
        {"kind": Kind.LIMITS, "cause": "capacity", "limit": 1000, "resume": 800},
        {"kind": Kind.OPEN, **other},
        {"kind": Kind.SEND, "message_id": "o", "bytes": 1, "outcome": "accepted", **other},
        {"kind": Kind.LEVEL, "bytes": 1, "messages": 1, "cause": "send", **other},
        {"kind": Kind.OPEN, **first},
        {"kind": Kind.SEND, "message_id": "l", "bytes": 1, "outcome": "accepted", **first},
        {"kind": Kind.LEVEL, "bytes": 1, "messages": 1, "cause": "send", **first},
        {"kind": Kind.SEND, "message_id": "m", "bytes": 1001, "outcome": "accepted", **first},
        {"kind": Kind.LEVEL, "bytes": 1002, "messages": 2, "cause": "send", **first},
        {"kind": Kind.OPEN, **late},
        {"kind": Kind.SEND, "message_id": "n", "bytes": 1, "outcome": "accepted", **late},
        {"kind": Kind.LEVEL, "bytes": 1003, "messages": 3, "cause": "send", **late},
        {"kind": Kind.STOP, **late},
        {"kind": Kind.STANDING, "outcome": "stopped", **late},
        {"kind": Kind.SEND, "message_id": "held", "bytes": 1, "outcome": "blocked", **late},
    ]
    for message_id, left, messages in (("l", 1002, 2), ("m", 1, 1), ("n", 0, 0)):
        steps += [
            {"kind": Kind.TAKE, "message_id": message_id},
            {"kind": Kind.ACKNOWLEDGE, "message_id": message_id},
            {"kind": Kind.LEVEL, "bytes": left, "messages": messages, "cause": "acknowledge"},
        ]
    steps += [
        {"kind": Kind.LEVEL, "bytes": 0, "messages": 0, "cause": "drained"},
        {"kind": Kind.RELEASE, **late},
        {"kind": Kind.STANDING, "outcome": "free", **late},
        {"kind": Kind.TAKE, "message_id": "o", "destination": "other"},
        {"kind": Kind.ACKNOWLEDGE, "message_id": "o", "destination": "other"},
        {"kind": Kind.LEVEL, "bytes": 0, "messages": 0, "cause": "drained", "destination": "other"},
    ]
    return [Event(seq=seq, **{**by, **step}) for seq, step in enumerate(steps, start=1)]


def write_trace(path: Path, events: list[Event]) -> Path:
    with TraceWriter(path, name="mine", version="1", capabilities=["stops-producers"]) as written:
        for event in events:
            written.write(event)
    return path


def verdicts(folder: Path) -> dict[str, str]:
    return {verdict["rule"]: verdict["verdict"] for each in told_in(folder)["inputs"] for verdict in each["verdicts"]}


def of_messages(found: dict[str, str]) -> dict[str, str]:
    """The verdicts on the two rules about messages; the others need the levels of a gate."""
    return {rule: found[rule] for rule in ("GENERAL-1", "GENERAL-2")}


def test_a_trace_that_keeps_all_rules_ends_well(tmp_path: Path) -> None:
    events = filled_and_emptied()
    result = check(tmp_path, write_trace(tmp_path / "trace.jsonl", events))
    assert set(verdicts(tmp_path).values()) == {"kept"}
    assert {"GENERAL-1", "GENERAL-2", "GENERAL-3", "GENERAL-7"} <= verdicts(tmp_path).keys()
    assert result.exit_code == ExitCode.OK
    counted = f"{len(events) + 2} lines = {len(events)} events + 2 ignored + 0 put aside"
    assert counted in " ".join(result.output.split())


def test_a_violation_shows_the_line_that_it_was_read_from(tmp_path: Path) -> None:
    path = write_trace(tmp_path / "trace.jsonl", [*taken("m", accepted=False), *filled_and_emptied()])
    result = check(tmp_path, path)
    assert result.exit_code == ExitCode.VIOLATED
    assert verdicts(tmp_path)["GENERAL-1"] == "violated"
    assert f"{path}:3" in result.output.replace("\n", "")
    report = told_in(tmp_path)
    general = report["inputs"][0]["verdicts"][0]
    assert (general["judged"], general["violated"]) == (7, 1)
    assert general["evidence"][0]["event"] == {"time": 0, "kind": "take", "destination": "q", "message_id": "m"}


def test_a_file_whose_name_is_no_text_is_left_out_and_the_rest_is_judged(tmp_path: Path) -> None:
    for name in ("good.log", os.fsdecode(b"bro\xffker.log")):
        (tmp_path / name).write_text(LOG, encoding="utf-8")
    result = check(tmp_path, tmp_path)
    assert result.exit_code == ExitCode.UNKNOWN, result.output
    assert "bro\\xffker.log: expected names of file and folders in UTF-8" in result.output
    assert set(verdicts(tmp_path).values()) == {"kept"}


def test_a_report_cannot_be_in_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "good.log").write_text(LOG, encoding="utf-8")
    with pytest.raises(BadInput, match=r"re\\xffport/out: expected names"):
        check(tmp_path / os.fsdecode(b"re\xffport"), tmp_path / "good.log")


def test_a_rule_that_nothing_judges_is_unknown_and_not_green(tmp_path: Path) -> None:
    result = check(tmp_path, write_trace(tmp_path / "trace.jsonl", taken("m", accepted=True)[:1]))
    assert result.exit_code == ExitCode.UNKNOWN
    assert set(verdicts(tmp_path).values()) == {"unknown"}
    assert "the trace has no event that this rule judges" in " ".join(result.output.split())


def test_a_log_is_judged_by_the_rules_for_its_lines(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text(LOG)
    result = check(tmp_path, tmp_path)
    rules = (*(f"QPID-LOG-{n}" for n in (1, 2, 3, 4)), "QPID-QUEUE-2")
    assert verdicts(tmp_path) == dict.fromkeys(rules, "kept")
    assert result.exit_code == ExitCode.OK


def test_a_line_put_aside_is_printed_and_makes_the_whole_unknown(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text(LOG + "\n" + LOG.splitlines()[2].replace("600 bytes", "1.60 bytes"))
    result = check(tmp_path, log)
    assert result.exit_code == ExitCode.UNKNOWN
    assert set(verdicts(tmp_path).values()) == {"kept"}
    assert f"{log}:5: field 'size': expected a whole number" in result.output
    assert "5 lines = 4 events + 0 ignored + 1 put aside" in result.output


@pytest.mark.parametrize(
    ("stop", "verdict"),
    [("CHN-1005 : Flow Control Enforced (Queue", "unknown"), ("CHN-1234 : Something Else", "violated")],
    ids=["put aside", "ignored"],
)
def test_nobody_is_accused_for_want_of_a_line_that_was_put_aside_in_an_earlier_file(
    tmp_path: Path, stop: str, verdict: str
) -> None:
    lines = LOG.splitlines()
    (tmp_path / "broker.log.1").write_text("\n".join([*lines, lines[0], lines[1].partition("CHN")[0] + stop]))
    (tmp_path / "broker.log").write_text("\n".join(lines[2:]).replace("2026-01-31", "2026-02-01"))
    check(tmp_path, tmp_path / "broker.log.1", tmp_path / "broker.log")
    report = told_in(tmp_path)
    found = {said["rule"]: said for said in report["inputs"][1]["verdicts"]}["QPID-LOG-4"]
    assert (found["verdict"], found["violated"]) == (verdict, 1)
    said = "does not hold of 1 of the 1 events that it judges"
    beside = ", but lines were put aside (1), 1 of them in files before it" if verdict == "unknown" else ""
    reason, _, checked = found["reason"].partition("; checked: ")
    assert reason == said + beside
    said = "CHN-1006 releases a channel only after a stop, once for each stop, and not long after its closing"
    assert checked == said


def test_traces_and_logs_are_judged_each_for_itself(tmp_path: Path) -> None:
    """The same source in two files is two streams: what one says excuses nothing in the other."""
    write_trace(tmp_path / "trace-1.jsonl", taken("m", accepted=True)[:1])
    again = [replace(event, seq=event.seq + 1) for event in taken("m", accepted=True)[1:]]
    write_trace(tmp_path / "trace-2.jsonl", again)
    check(tmp_path, tmp_path)
    report = told_in(tmp_path)
    found = [[verdict["verdict"] for verdict in each["verdicts"][:2]] for each in report["inputs"]]
    assert found == [["unknown", "unknown"], ["violated", "kept"]]


def test_a_trace_whose_header_names_nobody_is_refused(tmp_path: Path) -> None:
    path = write_trace(tmp_path / "trace.jsonl", [])
    path.write_text(path.read_text().replace('"name":"mine"', '"name":7'))
    result = check(tmp_path, path)
    assert result.exit_code == ExitCode.BAD_INPUT
    assert f"tidegate: {path}:1: field 'implementation.name'" in result.stderr


def report_of_a_run(folder: Path, traced: CheckResult | None = None, **said: Verdict) -> Path:
    """The report of a run that wrote `trace-mine.jsonl` and found these verdicts by scenarios, or by its trace too."""
    violated = CheckResult.VIOLATED
    found = {Verdict.KEPT: CheckResult.KEPT, Verdict.VIOLATED: violated, Verdict.FOLLOWS: violated}
    of_trace = () if traced is None else (Check("trace:t", CheckKind.TRACE, traced, (), (), "", "", ""),)
    judged = tuple(
        RuleVerdict(
            rule=name.replace("_", "-"), level="SHOULD", title="", sentence="", verdict=verdict, reason="seen",
            checks=(Check("c", CheckKind.SCENARIO, found[verdict], (), (), "", "", ""), *of_trace)
            if verdict in found else of_trace,
        )
        for name, verdict in said.items()
    )  # fmt: skip
    mine = Implementation("mine", "1", "", "mine", ())
    each = ImplementationReport(mine, judged, "2026-01-31T00:00:00Z", 1.0, trace="trace-mine.jsonl", log="broker.log")
    write_report(Report("0", "0", "", (each,), footer([each])), folder / "report.json")
    return folder / "report.json"


@pytest.mark.parametrize(
    ("general_1", "general_2", "code"),
    [
        (Verdict.VIOLATED, Verdict.KEPT, ExitCode.OK),
        (Verdict.FOLLOWS, Verdict.KEPT, ExitCode.OK),
        (Verdict.KEPT, Verdict.KEPT, ExitCode.VIOLATED),
        (Verdict.VIOLATED, Verdict.UNKNOWN, ExitCode.OK),
        (Verdict.UNKNOWN, Verdict.UNKNOWN, ExitCode.UNKNOWN),
    ],
    ids=[
        "agrees in what is violated",
        "it follows in the run",
        "the run found it kept",
        "the run did not check it",
        "nothing to compare",
    ],
)
def test_the_trace_of_a_run_must_agree_with_its_report(
    tmp_path: Path, general_1: Verdict, general_2: Verdict, code: ExitCode
) -> None:
    write_trace(tmp_path / "trace-mine.jsonl", taken("m", accepted=False))
    against = report_of_a_run(tmp_path, GENERAL_1=general_1, GENERAL_2=general_2)
    result = check(tmp_path, tmp_path, "--against", against)
    assert of_messages(verdicts(tmp_path)) == {"GENERAL-1": "violated", "GENERAL-2": "kept"}
    assert result.exit_code == code
    disagreements = told_in(tmp_path)["disagreements"]
    assert [sentence.split()[0] for sentence in disagreements] == (["GENERAL-1"] if code == ExitCode.VIOLATED else [])


@pytest.mark.parametrize(
    ("said", "traced", "code"),
    [
        (Verdict.FOLLOWS, CheckResult.KEPT, ExitCode.OK),
        (Verdict.UNKNOWN, CheckResult.KEPT, ExitCode.OK),
        (Verdict.FOLLOWS, CheckResult.VIOLATED, ExitCode.VIOLATED),
        (Verdict.FOLLOWS, None, ExitCode.VIOLATED),
        (Verdict.VIOLATED, CheckResult.KEPT, ExitCode.OK),
        (Verdict.VIOLATED, CheckResult.VIOLATED, ExitCode.VIOLATED),
        (Verdict.VIOLATED, None, ExitCode.VIOLATED),
    ],
)
def test_what_the_run_saw_in_a_scenario_alone_need_not_show_in_the_trace(
    tmp_path: Path, said: Verdict, traced: CheckResult | None, code: ExitCode
) -> None:
    write_trace(tmp_path / "trace-mine.jsonl", taken("m", accepted=True))
    against = report_of_a_run(tmp_path, traced, GENERAL_1=said)
    assert check(tmp_path, tmp_path, "--against", against).exit_code == code
    report = told_in(tmp_path)
    told, other = report["notes"], report["disagreements"]
    if code is not ExitCode.OK:
        told, other = other, told
    assert [sentence.split()[0] for sentence in told] == ["GENERAL-1"]
    assert other == []


def test_the_trace_must_not_show_a_violation_that_its_run_did_not_find_in_it(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace-mine.jsonl", taken("m", accepted=False))
    against = report_of_a_run(tmp_path, CheckResult.KEPT, GENERAL_1=Verdict.VIOLATED)
    assert check(tmp_path, tmp_path, "--against", against).exit_code == ExitCode.VIOLATED
    (said,) = told_in(tmp_path)["disagreements"]
    assert said.startswith("GENERAL-1 is violated")


def test_a_log_must_not_show_a_violation_of_what_its_run_found_kept(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text(LOG.replace("1,200", "900"))
    against = report_of_a_run(tmp_path, QPID_LOG_1=Verdict.KEPT, QPID_LOG_2=Verdict.VIOLATED)
    assert check(tmp_path, tmp_path, "--against", against).exit_code == ExitCode.VIOLATED
    report = told_in(tmp_path)
    assert [sentence.split()[0] for sentence in report["disagreements"]] == ["QPID-LOG-1"]


def test_a_report_about_something_else_is_refused(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace-other.jsonl", taken("m", accepted=True))
    with pytest.raises(BadInput, match=r"expected the report of the run that wrote .*trace-other\.jsonl"):
        check(tmp_path, tmp_path / "trace-other.jsonl", "--against", report_of_a_run(tmp_path))


def test_the_schema_that_is_printed_is_the_one_that_traces_have(tmp_path: Path) -> None:
    schema = json.loads(CliRunner().invoke(trace, ["schema"]).output)
    lines = write_trace(tmp_path / "trace.jsonl", taken("m", accepted=True)).read_text().splitlines()
    for line in lines[1:-1]:
        jsonschema.validate(json.loads(line), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**json.loads(lines[1]), "seq": 0}, schema)


def test_a_log_that_no_rule_judges_is_read_and_is_not_a_pass(tmp_path: Path) -> None:
    alarm = "2020-11-25 22:03:29.746 [warning] <0.375.0> disk resource limit alarm set on node rabbit@one."
    (tmp_path / "node.log").write_text(f"{alarm}\n\n***\n")
    result = check(tmp_path, tmp_path / "node.log")
    assert result.exit_code == ExitCode.UNKNOWN
    said = " ".join(result.output.split())
    assert "3 lines = 1 event + 2 ignored + 0 put aside" in said
    assert "no rule judges this log" in said
    assert verdicts(tmp_path) == {}


def test_what_a_log_cannot_tell_is_not_counted_as_agreement(tmp_path: Path) -> None:
    full = (
        "2026-01-31 23:59:59,123 | WARN  | Usage Manager Memory Limit (12000) reached on queue://orders, size 6. "
        "Producers will be throttled to the rate at which messages are removed from this destination to prevent "
        "flooding it. See http://activemq.apache.org/producer-flow-control.html for more info. | x | y"
    )
    (tmp_path / "broker.log").write_text(f"{full}\n")
    against = report_of_a_run(tmp_path, CLASSIC_MEMORY_1=Verdict.KEPT)
    result = check(tmp_path, tmp_path / "broker.log", "--against", str(against))
    assert verdicts(tmp_path)["CLASSIC-MEMORY-1"] == "unknown"
    assert "agrees with the run in 0 of 0 verdicts" in result.output
    assert result.exit_code == ExitCode.UNKNOWN
