"""A wrong name gets the nearest right one, and a path that cannot be used one sentence, whichever command has it."""

from pathlib import Path

import pytest
from pytest import param as case

from tests.cli.command import tidegate
from tidegate.adapters import resolver
from tidegate.record.errors import BadInput

BAD_INPUT = 2
ROOT = Path(__file__).parents[2]
REPORT = ROOT / "reports" / "classic-5.3.1"
TOO_LONG = "x" * 300
"""A name that no file system takes."""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        case(("explain", "broker.xml", "--broker", "artemi:2.31.2"), "not 'artemi:2.31.2'; did you mean artemis?"),
        case(("explain", "broker.xm"), "there is no such file or folder; did you mean broker.xml?"),
        case(("why", "brokre.log"), "there is no such file or folder; did you mean broker.log?"),
        case(("why", "fodler/old.log"), "there is no such file or folder; did you mean folder/old.log?"),
        case(("why", "broker.log", "--zone", "Europe/Belin"), "not 'Europe/Belin'; did you mean Europe/Berlin?"),
        case(("trace", "check", "brokre.log"), "there is no such file or folder; did you mean broker.log?"),
        case(("trace", "check", "broker.log", "--timezone", "europe/berln"), "; did you mean Europe/Berlin?"),
        case(("trace", "watch", "brokre.log", "--once"), "/broker.log?"),
        case(("sweep", "--mechanism", "qpid-queu"), "not 'qpid-queu'; did you mean qpid-queue?"),
        case(("sweep", "--x", "capacty"), "not 'capacty'; did you mean capacity?"),
        case(("bisect", "CLASSIC-FAIL-6", "classik"), "can be started; did you mean classic? There are versions of: "),
        case(("built", "show", "artemis:2.55"), "not 'artemis:2.55'; did you mean artemis-2.55.0? There are: "),
        case(("prove", "--only", "qpid-queu-2"), "not 'qpid-queu-2'; did you mean QPID-QUEUE-2?"),
        case(("strength", "--mechanism", "queue-gat", "--list"), "not 'queue-gat'; did you mean queue-gate?"),
        case(
            ("spec", "show", "amq222183"),
            "this code begins a log line of ActiveMQ Artemis and HornetQ, about ARTEMIS-B",
        ),
        case(("spec", "show", "CHN-1005"), "Qpid Java broker (Broker-J), about QPID-QUEUE-11, QPID-DISK-3"),
        case(("spec", "show", "AMQ999999"), "not 'AMQ999999'; `tidegate spec list` lists all"),
        case(("explain", "broker.log"), "not a log: `tidegate why` says who is blocked in it"),
        case(("report", "show", "repotr.json"), "there is no such file or folder; did you mean report.json?"),
        case(
            ("run", "--adapter", "reference:qpid-0.18", "--check", "consumption_releases_every_producer_that_wait"),
            "that_wait; did you mean consumption_releases_every_producer_that_waits?",
        ),
        case(
            ("run", "--adapter", "reference:qpid-0.18", "--check", "no_queue_is_ever_below"),
            "ever_below; did you mean no_queue_is_ever_below_a_resume_level_of_0?",
        ),
        case(("bisect", "CLASSIC-FAIL-6", "pond"), "For another broker, use git bisect, as docs/gate.md shows"),
        case(("adapter", "new", "artemis"), "no built-in adapter has, such as my_artemis, not 'artemis'"),
        case(("run", "--adapter", "broker.xml"), "to run this file, name a command: 'cmd:./broker.xml'"),
        case(("built", "attribute", "fodler"), "there is no such file or folder; did you mean folder?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_name_gets_the_nearest_right_name(arguments: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("broker.xml", "broker.log", "folder/old.log", "report.json"):
        (tmp_path / name).write_text("2026-11-21 19:44:07,987 INFO the broker has started\n")
    ended = tidegate(*arguments, folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert expected in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("why",), "log"),
        (("trace", "check"), "file"),
        (("explain",), "file or folder"),
        (("built", "attribute"), "file or folder"),
        (("run", "--known-deviations"), "file"),
        (("spec", "coverage", "--documents"), "folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_missing_file_has_one_sentence_whichever_command_names_it(
    arguments: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    ended = tidegate(*arguments, "gone", folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    expected = f"gone: expected a {kind} that can be read, but there is no such file or folder\n"
    assert ended.stderr == f"tidegate: {expected}"


@pytest.mark.parametrize("name", ["other.txt", "b.log", "gone.log"])
def test_a_name_that_is_far_from_all_names_gets_no_suggestion(name: str, tmp_path: Path) -> None:
    for there in ("broker.log", "a.log"):
        (tmp_path / there).write_text("")
    ended = tidegate("why", name, folder=tmp_path)
    assert ended.stderr == f"tidegate: {name}: expected a log that can be read, but there is no such file or folder\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--rule", "QPID-QUEUE-2", "--adapter", "reference:qpid-0.18", "--report"),
        ("run", "--rule", "QPID-QUEUE-2", "--adapter", "reference:qpid-0.18", "--junit"),
        ("matrix", str(REPORT), "--to"),
        ("report", "render", str(REPORT), "--to"),
        ("report", "badge", str(REPORT)),
        ("sweep", "--seconds", "1", "--report"),
        ("trace", "check", str(ROOT / "examples/symptoms"), "--report"),
        ("trace", "watch", str(ROOT / "examples/symptoms"), "--once", "--report"),
        ("adapter", "new", "pond", "--source", "file:///pond", "--directory"),
        ("spec", "requirements", "1.1", "--renew", "--to"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("place", ["/proc/none", TOO_LONG])
def test_a_place_that_cannot_be_written_is_one_sentence(arguments: tuple[str, ...], place: str, tmp_path: Path) -> None:
    ended = tidegate(*arguments, place, folder=tmp_path)
    assert (ended.returncode, "Traceback" in ended.stderr) == (BAD_INPUT, False), ended.stderr
    assert place in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [("report", "check"), ("report", "render", "--to", "out"), ("report", "show", "--quiet"), ("report", "badge")],
    ids=" ".join,
)
def test_a_report_is_named_by_its_folder_or_its_file(arguments: tuple[str, ...], tmp_path: Path) -> None:
    badge = ("badge.svg",) if "badge" in arguments else ()
    said = [tidegate(*arguments, str(name), *badge, folder=tmp_path) for name in (REPORT, REPORT / "report.json")]
    assert [ended.returncode for ended in said] == [0, 0]
    assert said[0].stdout == said[1].stdout


def test_a_defect_of_tidegate_is_no_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import click

    from tidegate.cli.paths import FOLDER, fault_of_the_system

    context = click.Context(click.Command("any"))
    FOLDER.convert(str(tmp_path), None, context)
    named = FileNotFoundError(2, "No such file or directory", str(tmp_path / "report.json"))
    own = FileNotFoundError(2, "No such file or directory", str(ROOT / "spec" / "gone.md"))
    assert "there is no such file" in str(fault_of_the_system(named, context))
    assert fault_of_the_system(own, context) is None
    assert "no space is left" in str(fault_of_the_system(OSError(28, "No space left on device"), context))


@pytest.mark.parametrize("command", ["diff", "matrix"])
def test_a_report_that_is_not_there_gets_the_nearest_one(command: str, tmp_path: Path) -> None:
    (tmp_path / "reports").symlink_to(ROOT / "reports")
    ended = tidegate(command, "reports/classic-6.3.2", "reports/classic-6.3.1", folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "reports/classic-6.3.2 has no report.json; did you mean reports/classic-6." in ended.stderr


@pytest.mark.parametrize("command", [("adapter", "smoke"), ("run", "--adapter")], ids=" ".join)
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("./nowhere", "there is no program './nowhere'"),
        ("./broker.py", "the file './broker.py' may not be run; chmod +x allows it"),
        ("./folder", "'./folder' is a folder, not a program"),
    ],
)
def test_a_program_that_cannot_be_run_is_named_before_any_step(
    command: tuple[str, ...], program: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "broker.py").write_text("")
    ended = tidegate(*command, f"cmd:{program}", folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (BAD_INPUT, "")
    assert ended.stderr.splitlines()[-1] == f"tidegate: adapter 'cmd:{program}': {expected}"


def test_a_library_that_an_adapter_lacks_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(resolver.BUILT_IN, "qpid", "tidegate_has_no_such_package.adapter:Adapter")
    with pytest.raises(BadInput, match=r"which is not installed: .* -m pip install 'pika>=.*'"):
        resolver.resolve("qpid:0.18")
