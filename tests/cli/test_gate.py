"""What closes the gate of a project that pins a requirement set or runs a part: the command as a CI job runs it."""

import json
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.sample import sampled
from tidegate.catalogue.requirements import requirement_set, set_names

DELIVERS_WHAT_IS_ROLLED_BACK = """\
from tidegate.adapters.reference.qpid import QpidReference


class Broken(QpidReference):
    def rollback(self, producer):
        self.commit(producer)
"""


@pytest.mark.parametrize("requirements", sampled(set_names()))
def test_a_broker_that_delivers_what_is_rolled_back_is_red_under_every_pin(tmp_path: Path, requirements: str) -> None:
    (tmp_path / "broken.py").write_text(DELIVERS_WHAT_IS_ROLLED_BACK, encoding="utf-8")
    arguments = (
        "--adapter",
        "broken:Broken",
        "--requirements",
        requirements,
        "--strength",
        "0",
        "--badge",
        "badge.json",
    )
    ended = tidegate("run", *arguments, folder=tmp_path)
    assert ended.returncode == 1, ended.stderr
    assert "GENERAL-16  violated" in ended.stdout
    badge = json.loads((tmp_path / "badge.json").read_text(encoding="utf-8"))
    assert badge["color"] == "red"
    told = {"GENERAL-1", "GENERAL-16", "GENERAL-42", "GENERAL-44", "GENERAL-45"}.intersection(
        requirement_set(requirements).rules
    )
    assert badge["message"].startswith(f"{len(told)} violated, ")


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (("--rule", "GENERAL-1"), "only --rule GENERAL-1 ran: 86 claimed rules are not judged"),
        (("--rule", "QPID-QUEUE-1", "--subset", "boundary"), "only --rule QPID-QUEUE-1 of the boundary subset ran: "),
        (("--check", "a_full_destination_stops_nobody_who_sends_elsewhere"), "only --check a_full_destination_"),
        (("--only", "vector", "--rule", "QPID-QUEUE-1"), "only --rule QPID-QUEUE-1 --only vector ran: "),
    ],
)
def test_the_last_line_says_that_only_a_part_ran(tmp_path: Path, selection: tuple[str, ...], words: str) -> None:
    arguments = ("--adapter", "reference:qpid-0.18", "--badge", "badge.json", "--strength", "0", *selection)
    ended = tidegate("run", *arguments, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert words in " ".join(ended.stdout.split()).rpartition(" unknown")[2]
    badge = json.loads((tmp_path / "badge.json").read_text(encoding="utf-8"))
    assert badge["color"] == "yellowgreen"
    assert "; only --" in badge["message"]
