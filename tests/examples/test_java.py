"""The broker in Java, written from the sentences of the chapters alone, keeps every rule that it claims."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.examples.programs import LONGEST_SECONDS, request, responses, results_of, verdicts_of
from tidegate.record.report import CheckResult
from tidegate.record.verdict import Verdict

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "examples" / "java" / "src" / "mybroker"
QUEUE_GATE = {*(f"QPID-QUEUE-{number}" for number in range(1, 13)), *(f"QPID-LOG-{number}" for number in range(1, 5))}
BAD_INPUT = 2


def compiled(sources: Path, classes: Path) -> tuple[str, ...]:
    """The command that starts the program, once it is compiled."""
    if shutil.which("javac") is None:
        pytest.fail("examples/java needs a JDK 17 or later: no javac on the PATH", pytrace=False)
    built = subprocess.run(
        ["javac", "-Xlint:all", "-Werror", "-d", str(classes), *map(str, sorted(sources.glob("*.java")))],
        capture_output=True, text=True, timeout=LONGEST_SECONDS,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return ("java", "-cp", str(classes), "mybroker.Main")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return compiled(SOURCES, tmp_path_factory.mktemp("java") / "classes")


@pytest.fixture
def validated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEGATE_STDIO_VALIDATE", "1")


@pytest.mark.nightly
@pytest.mark.usefixtures("validated")
def test_every_rule_that_it_claims_is_kept(program: tuple[str, ...], tmp_path: Path) -> None:
    verdicts = verdicts_of(program, tmp_path)
    assert verdicts.keys() >= {*QUEUE_GATE, "GENERAL-4", "GENERAL-5", "GENERAL-9", "GENERAL-10"}
    assert verdicts == dict.fromkeys(verdicts, Verdict.KEPT)


@pytest.mark.usefixtures("validated")
@pytest.mark.parametrize(
    ("file", "right", "wrong", "rule"),
    [
        ("Levels.java", "bytes > capacityBytes", "bytes >= capacityBytes", "QPID-QUEUE-1"),
        ("OperationalLog.java", "CHN-1006 : Flow Control Removed", "CHN-1006 : Flow Control removed", "QPID-LOG-4"),
    ],
)
def test_with_one_defect_it_breaks_the_rule(file: str, right: str, wrong: str, rule: str, tmp_path: Path) -> None:
    sources = Path(shutil.copytree(SOURCES, tmp_path / "src"))
    text = (sources / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (sources / file).write_text(text.replace(right, wrong), encoding="utf-8")
    command = compiled(sources, tmp_path / "classes")
    assert CheckResult.VIOLATED in results_of(command, rule, tmp_path)


def test_the_java_broker_has_the_session_on_the_page(program: tuple[str, ...]) -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = [json.loads(line) for line in re.findall(r"^< (.*)$", page, re.MULTILINE)]
    answered, _ = responses(program, re.findall(r"^> (.*)$", page, re.MULTILINE))
    assert len(answered) == len(shown) >= 15
    for expected, response in zip(shown[1:], answered[1:], strict=True):  # the first is the program's own name
        assert response["id"] == expected["id"]
        assert response.get("answer") == expected.get("answer")
        assert response.get("error", {}).get("kind") == expected.get("error", {}).get("kind")


def test_the_java_broker_reads_and_writes_all_of_json(program: tuple[str, ...]) -> None:
    odd = 'a "quoted" \\ name\n\t\u0001 é 😀 \u2028'
    lone = r"\ud83d"
    lines = [
        request(1, "declare", destination=odd, limits={"limit_bytes": None, "unheard of": [{}, [1.5e3, True, None]]}),
        request(2, "open_producer", producer="p", connection="c", destinations=[odd]),
        request(3, "send", producer="p", message_id=odd, size_bytes=9_007_199_254_740_993),
        request(4, "open_consumer", consumer="c", connection="c", destination=odd),
        request(5, "take", consumer="c"),
        request(6, "depth", destination=odd),
        f' {{ "verb" : "declare" , "id":7, "destination":"{lone}", "limits" : {{ }} }} ',
        f'{{"id":8,"verb":"depth","destination":"{lone}"}}',
        request(9, "send", producer="p", message_id="m", size_bytes=1.0),
        request(10, "depth"),
        request(11, "no such verb"),
        request(12, "depth", destination="none such"),
    ]
    answered, complaints = responses(program, lines)
    assert complaints == ""
    assert answered[4]["answer"] == {"message_id": odd, "destination": odd}
    assert answered[5]["answer"] == {"bytes": 9_007_199_254_740_993, "messages": 1}
    assert answered[7]["answer"] == {"bytes": 0, "messages": 0}
    assert [response["error"] for response in answered[8:]] == [
        {"kind": "unsupported", "message": "size_bytes: expected a whole number"},
        {"kind": "unsupported", "message": "destination: expected a text"},
        {"kind": "unsupported", "message": "there is no verb no such verb"},
        {"kind": "refused", "message": "there is no none such"},
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "expected a value at column 1"),
        ('{"id":1', "expected a comma or the end of the object at column 8"),
        ('{"id":1,}', "expected a name at column 9"),
        ('{"id" 1}', "expected a colon at column 7"),
        ('{"id":01}', "expected a comma or the end of the object at column 8"),
        ('{"id":1} {}', "expected the end at column 10"),
        ('{"id":+1}', "expected a digit at column 7"),
        ('{"id":1.}', "expected a digit at column 9"),
        ('{"id":99999999999999999999}', "the number 99999999999999999999 is too large"),
        ('"\\x"', "expected an escaped character at column 3"),
        ('"\\u00g0"', "expected a hexadecimal digit at column 6"),
        ('"a\tb"', "expected no control character in a text at column 3"),
        ('"a', "expected the end of the text at column 3"),
        ("[1 2]", "expected a comma or the end of the list at column 4"),
        ("nul", "expected null at column 1"),
        ("[" * 100_000, "expected no more than 100 levels at column 101"),
        ('{"id":"1","verb":"depth"}', "expected an object with an id and a verb"),
    ],
)
def test_a_line_that_is_no_request_is_named_on_stderr_only(program: tuple[str, ...], line: str, why: str) -> None:
    answered, complaints = responses(program, [line, request(2, "advance", ms=1)])
    assert [response["id"] for response in answered] == [2]
    assert complaints == f"{why}: {line}\n"


def test_without_java_one_sentence_says_so(program: tuple[str, ...], tmp_path: Path) -> None:
    ended = tidegate("run", "--adapter", f"cmd:{shlex.join(program)}", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.strip().endswith("there is no program 'java'")
    assert len(ended.stderr.strip().splitlines()) == 1


def test_before_it_is_compiled_java_says_what_is_missing(tmp_path: Path) -> None:
    ended = tidegate("run", "--adapter", "cmd:java -cp build/classes mybroker.Main", folder=tmp_path)
    assert ended.returncode == BAD_INPUT
    assert "mybroker.Main" in ended.stderr and "ClassNotFoundException" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
