"""Requirement sets: what is frozen stays, and a file that is not what was frozen is refused."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.version import Version

from tidegate.catalogue import catalogue
from tidegate.catalogue.requirements import renewed, requirement_set, set_names
from tidegate.cli.spec import spec
from tidegate.record.errors import BadInput

ROOT = Path(__file__).parents[2]


def test_every_shipped_set_holds_rules_that_there_are() -> None:
    assert "1.0" in set_names()
    for name in set_names():
        assert set(requirement_set(name).rules) <= catalogue().keys()


def test_the_newest_set_holds_every_rule() -> None:
    newest = max(set_names(), key=Version)
    assert set(requirement_set(newest).rules) == catalogue().keys(), "renew it, or begin the next set if it is frozen"


def test_what_the_documentation_tells_to_pin_is_the_newest_frozen_set() -> None:
    frozen = [name for name in set_names() if requirement_set(name).frozen]
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    pinned = re.findall(r"requirements(?:: \"|=| )(\d[\d.]*)\b", text)
    assert len(pinned) >= 4
    assert set(pinned) == {max(frozen, key=Version)}


def test_a_set_is_made_anew_until_it_is_frozen(tmp_path: Path) -> None:
    path = tmp_path / "9.0.yaml"
    assert renewed("9.0", freeze=False, path=path).rules == tuple(catalogue())
    assert not requirement_set("9.0", folder=tmp_path).frozen
    renewed("9.0", freeze=True, path=path)
    frozen = path.read_bytes()
    assert requirement_set("9.0", folder=tmp_path).frozen
    for freeze in (False, True):
        with pytest.raises(BadInput, match="not frozen"):
            renewed("9.0", freeze=freeze, path=path)
    assert path.read_bytes() == frozen


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("- QPID-QUEUE-1\n", "", "field 'fingerprint': expected the fingerprint"),
        ("- QPID-QUEUE-1\n", "- QPID-QUEUE-99\n", "the id of a rule, once, not 'QPID-QUEUE-99'"),
        ("- QPID-QUEUE-1\n", "- QPID-QUEUE-1\n- QPID-QUEUE-1\n", "the id of a rule, once, not 'QPID-QUEUE-1'"),
        ("name: '9.0'", "name: '9.1'", "field 'name': expected the name of the file"),
        ("frozen: true", "frosen: true", "field 'fro[zs]en'"),
    ],
)
def test_a_changed_file_is_refused_with_its_place(tmp_path: Path, before: str, after: str, message: str) -> None:
    path = tmp_path / "9.0.yaml"
    renewed("9.0", freeze=True, path=path)
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(BadInput, match=r"requirements/9\.0\.yaml:\d+: .*" + message):
        requirement_set("9.0", folder=tmp_path)


def test_the_command_shows_and_freezes(tmp_path: Path) -> None:
    def tidegate(*arguments: str) -> tuple[int, str, BaseException | None]:
        ended = CliRunner().invoke(spec, ["requirements", *arguments])
        return ended.exit_code, ended.output, ended.exception

    assert "1.0\t" in tidegate()[1]
    assert "QPID-QUEUE-1\tOverfull above the capacity" in tidegate("1.0")[1]
    assert tidegate("9.0", "--freeze", "--to", str(tmp_path))[0] == 0
    assert isinstance(tidegate("9.0", "--renew", "--to", str(tmp_path))[2], BadInput)
    assert isinstance(tidegate("7.0")[2], BadInput)
