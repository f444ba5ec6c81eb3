"""The pages of symptoms: their commands run as they are written, and answer what the page says."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.outputs import commands, printed, with_outputs

from tests.cli.command import tidegate
from tests.sample import sampled
from tidegate.catalogue import catalogue
from tidegate.record.errors import TidegateError

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "symptoms"
PAGES = sorted(page for page in ROOT.glob("docs/symptoms/*.md") if page.name != "index.md")
REAL_LOGS = (
    *ROOT.glob("tests/pipeline/logs/**/*.log"),
    *ROOT.glob("tests/runs/*.log"),
    *ROOT.glob("reports/*/*.log"),
)
ANSWERS = {
    "send-hangs": (
        "max-size-bytes = 10,000 bytes",
        "memoryLimit = 12,000 bytes",
        "capacity = 1,000 bytes",
        "AMQ222183",
        "QUE-1003",
    ),
    "still-blocked": ("at least 2,441 bytes must go", "KahaDB frees whole files", "unblock()", "virtualhosts.xml:10"),
    "which-limit": ("global-max-size = 20,971,520", "memoryLimit = 12,000 bytes", "reached first: max-size-bytes"),
    "disk": ("max-disk-usage", "storeUsage = 1,200,000 bytes", "overfull-size", "max-disk-usage = 90 %"),
    "limit-without-effect": (
        "broker.xml:15: ARTEMIS-AMQP-9",
        "activemq.xml:7: CLASSIC-MEMORY-9",
        "virtualhost.json:5",
        "broker.xml:22: ARTEMIS-BLOCK-2",
    ),
    "out-of-memory": ("1,000 messages for each of 200 producers", "a limit of at most 332,072,960 bytes"),
    "some-of-the-time": ("max-size-bytes = 10,000 bytes", "global-max-size = 20,971,520"),
    "client-throws": ("ResourceAllocationException", "address-full-policy", "JMSException", "FAIL"),
}
"""By page, for each of its commands in turn, words that its answer must have."""


@pytest.mark.parametrize("page", sampled(PAGES, 3, name=lambda page: page.stem), ids=lambda page: page.stem)
def test_every_command_of_a_page_answers(page: Path) -> None:
    found = list(commands(page.read_text(encoding="utf-8")))
    assert len(found) == len(ANSWERS[page.stem])
    for command, words in zip(found, ANSWERS[page.stem], strict=True):
        assert words in " ".join(printed(command).split()), command


def test_there_is_a_page_for_each_symptom_and_the_first_page_leads_to_all() -> None:
    assert {page.stem for page in PAGES} == set(ANSWERS)
    index = (ROOT / "docs/symptoms/index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([a-z-]+)\.md\)", index)) == set(ANSWERS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_how_it_looks_what_causes_it_and_how_to_find_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall("^## (.+)$", text, re.MULTILINE) == ["What it looks like", "Causes", "Find out"]
    causes = text.partition("## Causes")[2].partition("## Find out")[0]
    assert len(re.findall(r"^\d\. ", causes, re.MULTILINE)) >= 4
    named = re.findall(r"\b[A-Z]+(?:-[A-Z]+)*-\d+\b", causes)
    assert len(set(named)) >= 4
    assert set(named) - set(catalogue()) <= {"QPID-942"}, "the design, which is no rule"


def test_the_example_logs_are_lines_of_real_logs() -> None:
    real = {line for log in REAL_LOGS for line in log.read_text(encoding="utf-8", errors="replace").splitlines()}
    logs = sorted(EXAMPLES.glob("*.log"))
    assert len(logs) > 10
    assert [(log.name, line) for log in logs for line in log.read_text().splitlines() if line not in real] == []


def test_every_example_is_used_by_a_page() -> None:
    used = set(re.findall(r"examples/symptoms/([\w.-]+)", " ".join(page.read_text() for page in PAGES)))
    assert {path.name for path in EXAMPLES.iterdir() if path.name != "README.md"} == used


def test_a_command_prints_in_a_page_what_it_prints_in_a_shell() -> None:
    command = "tidegate why examples/symptoms/artemis-address.log"
    ended = tidegate(*command.split()[1:], folder=ROOT)
    assert (ended.returncode, ended.stdout) == (0, printed(command))
    page = with_outputs(f"Text.\n\n```sh\n{command}\n```\n")
    assert page.index(command) < page.index("Blocked since") and '<div class="output">' in page


def test_a_command_that_does_not_answer_stops_the_build() -> None:
    with pytest.raises(TidegateError, match=r"nowhere\.log"):
        printed("tidegate why examples/symptoms/nowhere.log")
    with pytest.raises(TidegateError, match="ended with 2"):
        printed("tidegate why --fast")
