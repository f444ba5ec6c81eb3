"""A program that goes wrong is told apart from one that answers, each way by a sentence of its own."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.waiting import eventually
from tidegate.adapters.base import AdapterError, Depth, Identity
from tidegate.adapters.capabilities import offered
from tidegate.adapters.errors import ConnectionLost, NoAnswer
from tidegate.adapters.groups import Purges, WritesLog
from tidegate.adapters.resolver import resolve
from tidegate.adapters.stdio import driver, program
from tidegate.adapters.stdio.adapter import StdioAdapter
from tidegate.adapters.stdio.settings import Settings
from tidegate.record.errors import BadInput, TidegateError, Unavailable

FAULTY = str(Path(__file__).parent / "peers" / "faulty.py")
SHORT = Settings(timeout_ms=500)
"""For programs that never answer in time."""
RUNNER = """
import sys, time
from pathlib import Path
from tidegate.adapters.stdio.adapter import StdioAdapter
adapter = StdioAdapter([sys.executable, sys.argv[1], "child"])
adapter.start()
pids = adapter.depth("q")
print(pids.bytes, pids.messages, adapter.log_path.parent, flush=True)
time.sleep(600)
"""


@contextmanager
def faulty(fault: str, file: Path | None = None, settings: Settings | None = None) -> Iterator[StdioAdapter]:
    """The adapter of a running program with this fault."""
    adapter = StdioAdapter([sys.executable, FAULTY, fault, *([str(file)] if file else [])], settings or Settings())
    try:
        adapter.start()
        yield adapter
    finally:
        adapter.stop()


def refusal(ask: Callable[[], None]) -> str:
    """Why there is no answer; the empty text when there is one."""
    try:
        ask()
    except NoAnswer as error:
        return str(error)
    return ""


def gone(*pids: int) -> bool:
    return eventually(lambda: not any(map(psutil.pid_exists, pids)))


@pytest.mark.parametrize("validate", [False, True])
def test_a_program_is_what_it_says_in_its_handshake(validate: bool) -> None:
    with faulty("none", settings=Settings(validate=validate)) as adapter:
        assert adapter.identity == Identity("faulty", "1")
        assert adapter.capabilities == {"queue-gate"}
        assert adapter.depth("q") == Depth(0, 0)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("error", "the program answered 'depth' with unsupported: depth is not written"),
        (
            "noise",
            "line 2 that the program wrote, 'counting...': expected nothing but responses, in JSON, on its stdout",
        ),
        (
            "nested",
            f"line 2 that the program wrote, '{'[' * 200}…': expected nothing but responses, in JSON, on its stdout",
        ),
        ("no-object", "line 2 that the program wrote, '[1, 2]': expected one JSON object a line"),
        (
            "no-id",
            """line 2 that the program wrote, '{"answer": {"bytes": 0, "messages": 0}}': """
            "field 'id': expected the number of a request",
        ),
        (
            "wrong-id",
            """line 2 that the program wrote, '{"id": 3, "answer": {"bytes": 0, "messages": 0}}': """
            "expected the response to request 2 ('depth'), not to request 3",
        ),
        (
            "shape",
            """line 2 that the program wrote, '{"id": 2, "answer": {"bytes": "none", "messages": 0}}': """
            "field 'answer.bytes': Input should be a valid integer, got 'none'",
        ),
        (
            "missing",
            """line 2 that the program wrote, '{"id": 2, "answer": {"bytes": 0}}': """
            "field 'answer.messages': Field required",
        ),
        (
            "float",
            """line 2 that the program wrote, '{"id":2,"answer":{"bytes":0.0,"messages":0}}': """
            "field 'answer.bytes': Input should be a valid integer, got 0.0",
        ),
        (
            "nan",
            """line 2 that the program wrote, '{"id":2,"answer":{"bytes":NaN,"messages":0}}': """
            "expected a number as JSON has it, not NaN",
        ),
        (
            "twice-named",
            """line 2 that the program wrote, '{"id":2,"answer":{"bytes":1,"bytes":0,"messages":0}}': """
            "field 'bytes': expected once in an object, found 2 times",
        ),
        (
            "no-text",
            """line 2 that the program wrote, '{"id":2,"answer":"\ufffd"}': """
            "expected nothing but responses, in JSON, on its stdout",
        ),
        (
            "digits",
            f"""line 2 that the program wrote, '{('{"id":2,"answer":{"bytes":' + "9" * 200)[:200]}…': """
            "expected nothing but responses, in JSON, on its stdout",
        ),
    ],
)
@pytest.mark.parametrize("validate", [False, True])
def test_after_a_wrong_response_the_session_goes_on(fault: str, sentence: str, validate: bool) -> None:
    with faulty(fault, settings=Settings(validate=validate)) as adapter:
        with pytest.raises(AdapterError) as raised:
            adapter.depth("q")
        assert str(raised.value) == sentence
        adapter.end_scenario()


def test_a_second_response_to_one_request_is_noticed_at_the_next() -> None:
    with faulty("twice") as adapter:
        adapter.depth("q")
        with pytest.raises(
            AdapterError, match=r"expected the response to request 3 \('end_scenario'\), not to request 2"
        ):
            adapter.end_scenario()


def test_a_field_that_nobody_knows_is_a_violation_on_request_only() -> None:
    with faulty("misspelt") as adapter:
        assert adapter.depth("q") == Depth(0, 0)
    expected = r"^line 2 that the program wrote, .*: field 'answer.byte': Unexpected keyword argument, got 1$"
    with faulty("misspelt", settings=Settings(validate=True)) as adapter, pytest.raises(AdapterError, match=expected):
        adapter.depth("q")


def test_on_request_the_lines_of_tidegate_are_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from tidegate.adapters.stdio.verbs import VERBS

    with faulty("none", settings=Settings(validate=True)) as adapter:
        monkeypatch.setattr(
            VERBS["depth"].request, "model_dump_json", lambda self, **options: '{"id":2,"verb":"depth","queue":"q"}'
        )
        with pytest.raises(TidegateError, match=r"^tidegate wrote line 2, '.*': field 'destination': Field required$"):
            adapter.depth("q")


@pytest.mark.parametrize("validate", [False, True])
def test_a_response_may_name_what_it_does_not_have(validate: bool) -> None:
    with faulty("nulls", settings=Settings(validate=validate)) as adapter:
        assert adapter.depth("q") == Depth(0, 0)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (
            "crash",
            "the program ended with exit status 3 when it was asked for 'depth': opening the journal / journal is full",
        ),
        (
            "killed",
            "the program was ended by signal SIGKILL when it was asked for 'depth': it wrote nothing to stderr",
        ),
    ],
)
def test_a_program_that_ended_is_not_asked_again_until_it_is_started_again(
    fault: str, sentence: str, tmp_path: Path
) -> None:
    with faulty(fault, tmp_path / "file") as adapter:
        with pytest.raises(ConnectionLost) as raised:
            adapter.depth("q")
        assert str(raised.value) == sentence
        with pytest.raises(ConnectionLost, match="when it was asked for 'end_scenario'"):
            adapter.end_scenario()
        adapter.stop()
        with pytest.raises(AdapterError, match=r"^the program is not running$"):
            adapter.end_scenario()
        adapter.start()
        adapter.end_scenario()


def test_a_program_that_claims_something_else_when_it_is_started_again_is_refused(tmp_path: Path) -> None:
    with faulty("other-claims", tmp_path / "file") as adapter:
        with pytest.raises(ConnectionLost):
            adapter.depth("q")
        adapter.stop()
        with pytest.raises(AdapterError, match=r"started again and claims other capabilities than before$"):
            adapter.start()


def test_a_program_without_an_answer_is_asked_nothing_more_until_it_has_one(tmp_path: Path) -> None:
    with faulty("late", tmp_path / "file", SHORT) as adapter:
        with pytest.raises(NoAnswer, match=r"^the program did not answer 'depth' within 500 ms; a response must end"):
            adapter.depth("q")
        with pytest.raises(
            NoAnswer, match=r"^the program still has not answered 'depth', .*not asked for 'end_scenario'"
        ):
            adapter.end_scenario()
        (tmp_path / "file").touch()
        assert eventually(lambda: refusal(adapter.end_scenario) == "")


def test_half_a_line_is_shown_when_the_time_is_over(tmp_path: Path) -> None:
    shown = """; it wrote '{"id":' without a line break"""
    with faulty("half", tmp_path / "file", SHORT) as adapter:
        with pytest.raises(NoAnswer):
            adapter.depth("q")
        assert eventually(lambda: refusal(adapter.end_scenario).endswith(shown))


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        (
            "crash-at-start",
            Unavailable,
            "could not be started: the program ended with exit status 1 .*: no configuration$",
        ),
        ("noise-at-start", Unavailable, "could not be started: line 1 that the program wrote, 'Welcome to faulty 1.0'"),
        ("error-at-start", Unavailable, "with failed: no broker on this machine$"),
        ("shape-at-start", Unavailable, "field 'answer.identity.version': Field required$"),
        ("version-at-start", BadInput, "speaks version 2 of the protocol; tidegate speaks version 1$"),
        ("claim-at-start", BadInput, "claims 'purges', which is no capability; did it mean 'purge'[?]$"),
        ("scale-at-start", BadInput, "'parameters.scale' .*: expected a whole number from 1 to 1,000,000,000, not 0$"),
        ("time-at-start", BadInput, "'parameters.eventually_ms' .*: expected .* from 0 to 3,600,000, not -1$"),
        ("long-time-at-start", BadInput, "'parameters.never_ms' .*: .* to 3,600,000, not 1000000000000$"),
        ("smallest-at-start", BadInput, "'parameters.smallest_message_bytes' .*: expected .* from 1 to .*, not 0$"),
        ("disk-at-start", BadInput, "'parameters.disk_scale' .*: expected a whole number from 1 to .*, not 0$"),
        ("name-at-start", BadInput, "field 'identity.name' of its handshake: expected a text of one line, not ' '$"),
        ("lines-at-start", BadInput, r"'identity.version' .*: expected a text of one line, not '1\\n2'$"),
        ("protocols-at-start", BadInput, r"'parameters.protocols' .*: expected names that differ, not \['AMQP', ''\]$"),
        ("type-at-start", Unavailable, "field 'answer.parameters.scale': Input should be a valid integer, got '1'$"),
    ],
)
def test_a_program_that_goes_wrong_at_its_start_ends_the_command(
    fault: str, error: type[TidegateError], sentence: str
) -> None:
    with pytest.raises(error, match=f"^adapter 'cmd:.* {fault}'.*{sentence}"), faulty(fault):
        pass
    assert error.exit_code == 2


def test_a_handshake_that_does_not_come_ends_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(driver, "START_MS", 500)
    adapter = StdioAdapter([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(Unavailable, match="could not be started: the program did not answer 'start' within 500 ms"):
        adapter.start()
    adapter.stop()


def test_a_command_that_is_none_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^adapter 'cmd:': expected a program after 'cmd:'$"):
        resolve("cmd:")
    with pytest.raises(BadInput, match=r"""^adapter "cmd:a 'b": expected a command as in a shell"""):
        resolve("cmd:a 'b")
    with pytest.raises(BadInput, match=r"^adapter 'cmd:no-such-program x': there is no program 'no-such-program'$"):
        resolve("cmd:no-such-program x")["cmd:no-such-program x"]().start()
    broken = tmp_path / "broken"
    broken.write_bytes(b"\0")
    broken.chmod(0o755)
    adapter = StdioAdapter([str(broken)])
    with pytest.raises(BadInput, match=r"^adapter 'cmd:.*broken': the program could not be started: .*Exec format"):
        adapter.start()
    adapter.stop()


def test_what_is_not_claimed_is_not_asked() -> None:
    with faulty("none") as adapter:
        assert offered(adapter, Purges) is None
        assert isinstance(adapter, Purges)
        with pytest.raises(AdapterError, match=r"^the program does not claim purge, so it has no 'purge'$"):
            adapter.purge("q")


def test_the_lines_of_a_log_are_handed_out_once_and_kept_in_a_file() -> None:
    with faulty("log") as adapter:
        assert offered(adapter, WritesLog) is adapter
        assert adapter.log_lines() == ["one", "two"]
        adapter.end_scenario()
        assert adapter.log_path.read_text() == "one\ntwo\n" * 2
        assert adapter.log_lines() == ["one", "two"] * 2


def test_stop_leaves_no_process_and_no_folder_and_may_be_called_twice() -> None:
    with faulty("child") as adapter:
        pids, folder = adapter.depth("q"), adapter.log_path.parent
        assert folder.is_dir()
        adapter.stop()
        adapter.stop()
        assert not psutil.pid_exists(pids.bytes) and not psutil.pid_exists(pids.messages)
        assert not folder.exists()


def test_a_program_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "STOP_MS", 500)
    with faulty("deaf") as adapter:
        pid = adapter.depth("q").messages
        assert psutil.pid_exists(pid)
        adapter.stop()
        assert not psutil.pid_exists(pid)


def test_what_a_crashed_program_leaves_behind_is_ended(tmp_path: Path) -> None:
    with faulty("orphan", tmp_path / "pid") as adapter:
        with pytest.raises(ConnectionLost, match="ended with exit status 3"):
            adapter.depth("q")
        assert gone(int((tmp_path / "pid").read_text()))


def test_a_daemon_with_a_session_of_its_own_is_ended_too(tmp_path: Path) -> None:
    with faulty("daemon", tmp_path / "pid") as adapter:
        with pytest.raises(ConnectionLost, match="ended with exit status 3"):
            adapter.depth("q")
        assert gone(int((tmp_path / "pid").read_text()))


def test_a_program_that_closes_its_stdout_and_lives_on_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(program, "ENDING_SECONDS", 0.1)
    with faulty("closed", tmp_path / "pid") as adapter:
        with pytest.raises(ConnectionLost, match=r"^the program closed its stdout when it was asked for 'depth'"):
            adapter.depth("q")
        with pytest.raises(ConnectionLost, match=r"^the program closed its stdout when it was asked for 'take'"):
            adapter.take("c")
        monkeypatch.setattr(driver, "STOP_MS", 500)
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("megabytes", [1, 20])
def test_a_long_line_is_an_answer_like_any_other(megabytes: int, tmp_path: Path) -> None:
    with faulty("long", tmp_path / str(megabytes)) as adapter:
        assert adapter.depth("q") == Depth(0, 0)


def test_a_line_has_a_length_that_it_may_not_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(program, "MOST_LINE_BYTES", 1_000_000)
    with faulty("long", tmp_path / "3") as adapter:
        for verb in ("depth", "take"):
            with pytest.raises(
                ConnectionLost,
                match=f"^the program wrote more than 1,000,000 bytes without a line break when .* for {verb!r}",
            ):
                getattr(adapter, verb)("q")


def test_a_program_ends_with_a_runner_that_is_killed() -> None:
    command = [sys.executable, "-c", RUNNER, FAULTY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        child, program, folder = runner.stdout.readline().split()
        assert psutil.pid_exists(int(program)) and psutil.pid_exists(int(child)) and Path(folder).is_dir()
        runner.send_signal(signal.SIGKILL)
        assert gone(int(program), int(child))
        assert eventually(lambda: not Path(folder).exists())


def test_the_session_is_kept_on_request(tmp_path: Path) -> None:
    with faulty("crash", tmp_path / "file", Settings(folder=tmp_path / "kept")) as adapter:
        with pytest.raises(ConnectionLost):
            adapter.depth("q")
        adapter.stop()
        adapter.start()
    lines = (tmp_path / "kept" / "session.txt").read_text().splitlines()
    asked = [re.sub(r'^> {"id":\d+,"verb":"(\w+)".*', r"\1", line) for line in lines if line.startswith("> ")]
    assert asked == ["start", "depth", "start", "stop"]
    assert sum(line.startswith("< ") for line in lines) == 3
    assert (tmp_path / "kept" / "stderr.txt").read_text() == "opening the journal\njournal is full\n"


def test_settings_come_from_the_environment() -> None:
    assert Settings.of({}) == Settings(validate=False, folder=None, timeout_ms=20_000)
    environment = {
        "TIDEGATE_STDIO_VALIDATE": "1",
        "TIDEGATE_STDIO_FOLDER": "kept",
        "TIDEGATE_STDIO_TIMEOUT_MS": "700",
    }
    assert Settings.of(environment) == Settings(validate=True, folder=Path("kept"), timeout_ms=700)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("TIDEGATE_STDIO_VALIDATE", "yes", "expected 0 or 1, not 'yes'"),
        ("TIDEGATE_STDIO_TIMEOUT_MS", "0", "expected 1 to 29000 ms, not '0'"),
        ("TIDEGATE_STDIO_TIMEOUT_MS", "60000", "expected 1 to 29000 ms, not '60000'"),
        ("TIDEGATE_STDIO_TIMEOUT_MS", "1.5", "expected 1 to 29000 ms, not '1.5'"),
    ],
)
def test_a_setting_without_a_meaning_is_bad_input(name: str, value: str, expected: str) -> None:
    with pytest.raises(BadInput, match=f"^environment variable {name}: {expected}$"):
        Settings.of({name: value})
