"""Bad input is one clear sentence with its own exit code, never a traceback."""

import os
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from pytest import param as case

from tests.cli.command import tidegate
from tests.sample import sampled

BAD_INPUT = 2
NO_TEXT = os.fsdecode(b"re\xffport")
"""A name that is no text in UTF-8."""


def command(one: ParameterSet) -> str:
    """The first of the arguments."""
    arguments, _ = one.values
    assert isinstance(arguments, list)
    return str(arguments[0])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    sampled(
        [
            case(["run", "--adapter", "artmis"], "there is no adapter 'artmis'; did you mean artemis?"),
            case(["run", "--adapter", "nowhere:Adapter"], "needs the module 'nowhere'"),
            case(["run", "--adapter", "tidegate.adapters.base:Nothing"], "has no 'Nothing'"),
            case(["run", "--rule", "QPID-QUEUE-99"], "QPID-QUEUE-99"),
            case(
                ["run", "--check", "no_such_check"],
                "none of the adapters claims a rule with a check for --check no_such_check",
            ),
            case(["run", "--rule", "ARTEMIS-AMQP-1", "--adapter", "reference:qpid-0.18"], "no check was selected"),
            case(
                ["matrix", "./nowhere"],
                "expected the folder of a run or the name of an adapter; ./nowhere has no report.json",
            ),
            case(["spec", "show", "QPID-QUEUE-1O"], "QPID-QUEUE-1"),
            case(["spec", "show", "gate-t1"], "id of a rule, not of a claim; see `tidegate prove --only GATE-T1`"),
            case(["prove", "--only", "NO-SUCH"], "NO-SUCH"),
            case(
                ["run", "--adapter", "reference:qpid-0.18", "--rule", "QPID-QUEUE-1", "--adapter", "reference:artemis"],
                "--adapter takes one value, and was given 2 times",
            ),
            case(
                ["trace", "check", "--report=a", "--report", "b", "."],
                "--report takes one value, and was given 2 times",
            ),
            case(["trase"], "No such command 'trase'. Did you mean 'trace'?"),
            case(["trace", "schemaa"], "No such command 'schemaa'. Did you mean 'schema'?"),
            case(["zzz"], "No such command 'zzz'.\n"),
        ],
        kind=command,
    ),
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments: list[str], expected: str, tmp_path: Path) -> None:
    ended = tidegate(*arguments, folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    sampled(
        [
            ["run", "--rule", "QPID-QUEUE-1", "--report", NO_TEXT],
            ["run", "--rule", "QPID-QUEUE-1", "--junit", NO_TEXT],
            ["run", "--rule", "QPID-QUEUE-1", "--known-deviations", NO_TEXT],
            ["matrix", "reference", "--to", NO_TEXT],
            ["report", "show", NO_TEXT],
            ["sweep", "--report", NO_TEXT],
            ["trace", "check", "broker.log", "--report", NO_TEXT],
            ["trace", "check", "broker.log", "--against", NO_TEXT],
            ["trace", "check", "broker.log", "--host", f"{NO_TEXT}=broker.log"],
            ["trace", "watch", "broker.log", "--report", NO_TEXT],
        ],
        kind=lambda arguments: arguments[0],
    ),
    ids=lambda arguments: " ".join(arguments[:-1]),
)
def test_a_name_that_is_no_text_is_refused(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("")
    ended = tidegate(*arguments, folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "in UTF-8" in ended.stderr
    assert "re\\xffport" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["broker.log"]


def test_an_unknown_adapter_lists_what_there_is(tmp_path: Path) -> None:
    ended = tidegate("run", "--adapter", "mybroker", folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    listed = ended.stderr.partition("There are: ")[2]
    for name in (
        "artemis",
        "artemis-core",
        "artemis-openwire",
        "artemis-stomp",
        "qpid",
        "andes-client",
        "classic",
        "reference",
        "reference:PROFILE",
        "built:VERSION",
    ):
        assert f"{name}, " in listed
    assert "`tidegate adapter list` names all" in listed


def test_where_no_log_could_be_read_nobody_is_said_to_be_free(tmp_path: Path) -> None:
    (tmp_path / "broker.xml").write_text("<configuration/>\n")
    ended = tidegate("trace", "check", "broker.xml", folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (BAD_INPUT, "")
    assert "broker.xml: expected a tidegate trace or a log of a known form" in ended.stderr


def test_without_java_the_artemis_adapter_says_so(tmp_path: Path) -> None:
    ended = tidegate("run", "--adapter", "artemis", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == BAD_INPUT
    assert "JDK" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_negative_size_in_a_scenario_file_of_deviations_is_named(tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    known.write_text("- implementation: Artemis\n  version: 2.44.0\n  rule: ARTEMIS-AMQP-2\n", encoding="utf-8")
    ended = tidegate("run", "--known-deviations", str(known), folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "known.yaml:1" in ended.stderr


def test_a_truncated_trace_is_refused_with_its_line(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text(
        '{"format":"tidegate-trace","schema":1,"implementation":{"name":"x","version":"1","capabilities":[]}}\n'
        '{"source":"s","seq":1,"time":1,"kind":"level","destination":"q","bytes":"5"}\n',
        encoding="utf-8",
    )
    ended = tidegate("trace", "check", str(trace), "--report", str(tmp_path / "out"), folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "trace.jsonl:2: field 'bytes'" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_any_class_can_be_named(tmp_path: Path) -> None:
    adapter = "tidegate.adapters.reference.artemis:ArtemisReference"
    ended = tidegate("run", "--adapter", adapter, "--rule", "ARTEMIS-AMQP-1", folder=tmp_path)
    assert ended.returncode == 0
    assert (tmp_path / "tidegate-report" / "report.html").is_file()


def test_a_check_of_what_is_not_there_writes_nothing(tmp_path: Path) -> None:
    for paths in (["gone.log"], ["gone.log", "away"]):
        ended = tidegate("trace", "check", *paths, folder=tmp_path)
        expected = "tidegate: gone.log: expected a file that can be read, but there is no such file or folder\n"
        assert (ended.returncode, ended.stdout, ended.stderr) == (BAD_INPUT, "", expected)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--rule", "QPID-QUEUE-1", "--report"],
        ["run", "--rule", "QPID-QUEUE-1", "--junit"],
        ["run", "--rule", "QPID-QUEUE-1", "--badge"],
        ["run", "--rule", "QPID-QUEUE-1", "--summary"],
        ["run", "--rule", "QPID-QUEUE-1", "--write-deviations"],
        ["matrix", "reference", "--to"],
        ["bisect", "reference", "--report"],
        ["strength", "--json"],
        ["sweep", "--report"],
        ["trace", "watch", "broker.log", "--report"],
        ["report", "badge", "report.json"],
        ["adapter", "new", "pond", "--directory"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_written_is_said_before_anything_runs(arguments: list[str], tmp_path: Path) -> None:
    for name in ("broker.log", "taken"):
        (tmp_path / name).write_text("")
    ended = tidegate(*arguments, "taken/out", folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert f"'taken/out' cannot be made: '{tmp_path / 'taken'}' is a file." in ended.stderr
