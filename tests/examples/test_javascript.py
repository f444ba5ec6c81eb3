"""The broker in JavaScript, written from the sentences of the chapters alone, keeps every rule that it claims."""

import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.examples.programs import request, responses, results_of, verdicts_of
from tests.sample import nightly
from tidegate.record.report import CheckResult
from tidegate.record.verdict import Verdict

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "javascript"
MECHANISM = {
    *(f"ARTEMIS-BLOCK-{number}" for number in range(1, 4)),
    *(f"ARTEMIS-AMQP-{number}" for number in range(1, 12)),
}
BAD_INPUT = 2


def command(folder: Path = EXAMPLE) -> tuple[str, ...]:
    if shutil.which("node") is None:
        pytest.fail("examples/javascript needs Node.js 18 or later: no node on the PATH", pytrace=False)
    return ("node", str(folder / "src" / "main.js"))


@pytest.fixture(autouse=True)
def validated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDEGATE_STDIO_VALIDATE", "1")


@pytest.mark.parametrize("strength", [0, nightly(1)])
def test_every_rule_that_it_claims_is_kept(strength: int, tmp_path: Path) -> None:
    verdicts = verdicts_of(command(), tmp_path, strength)
    assert verdicts.keys() >= {*MECHANISM, "GENERAL-4", "GENERAL-14", "GENERAL-16", "GENERAL-17"}
    assert {*verdicts.values()} <= {Verdict.KEPT, Verdict.USED}


@pytest.mark.parametrize(
    ("file", "right", "wrong", "rule"),
    [
        ("link.js", "this.#left > lowMark ||", "this.#left >= lowMark ||", "ARTEMIS-AMQP-4"),
        ("link.js", "this.#left -= 1;", "", "ARTEMIS-AMQP-1"),
    ],
)
def test_with_one_defect_it_breaks_the_rule(file: str, right: str, wrong: str, rule: str, tmp_path: Path) -> None:
    changed = tmp_path / "javascript"
    shutil.copytree(EXAMPLE, changed)
    source = changed / "src" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    assert CheckResult.VIOLATED in results_of(command(changed), rule, tmp_path)


@pytest.mark.parametrize("line", ["", "nothing", '{"id": "1", "verb": "depth"}', "[1]"])
def test_a_line_that_is_no_request_is_named_on_stderr_only(line: str) -> None:
    answered, complaints = responses(command(), [line, request(2, "advance", ms=1)])
    assert [response["id"] for response in answered] == [2]
    assert complaints.endswith(f": {line}\n")


def test_without_node_one_sentence_says_so(tmp_path: Path) -> None:
    ended = tidegate("run", "--adapter", f"cmd:{shlex.join(command())}", folder=tmp_path, path=str(tmp_path))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr.strip().endswith("there is no program 'node'")
    assert len(ended.stderr.strip().splitlines()) == 1
