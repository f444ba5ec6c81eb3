"""A new project installs tidegate from where this one was installed, or from the address that is given."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.command import LONGEST_SECONDS
from tidegate.cli.origin import origin
from tidegate.record.errors import BadInput

BAD_INPUT = 2
FOLDER = {"url": "file:///home/ann/tidegate", "dir_info": {"editable": True}}
REPOSITORY = {
    "url": "https://host.example/ann/tidegate.git",
    "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": "0123abc"},
}


def installed(folder: Path, recorded: Mapping[str, object] | None) -> None:
    """Write what pip leaves of an installation."""
    facts = folder / "tidegate-9.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.4\nName: tidegate\nVersion: 9\n", encoding="utf-8")
    if recorded is not None:
        (facts / "direct_url.json").write_text(json.dumps(recorded), encoding="utf-8")


@pytest.mark.parametrize(
    ("recorded", "address"),
    [
        (FOLDER, "file:///home/ann/tidegate"),
        (REPOSITORY, "git+https://host.example/ann/tidegate.git@0123abc"),
        ({**FOLDER, "subdirectory": "python"}, "file:///home/ann/tidegate#subdirectory=python"),
        ({"url": "https://host.example/tidegate-9.whl", "archive_info": {}}, "https://host.example/tidegate-9.whl"),
    ],
)
def test_the_address_is_the_one_that_pip_recorded(
    recorded: Mapping[str, object], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, recorded)
    monkeypatch.syspath_prepend(tmp_path)
    assert origin(None) == address
    assert origin("file:///elsewhere") == "file:///elsewhere"


def test_without_a_record_an_address_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, None)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInput, match=r"expected an address .* this installation does not record its own"):
        origin(None)


@pytest.mark.parametrize("address", ["tidegate", "../tidegate", "", "file:", "git+https:", "file:///a b"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match=re.escape("field '--source': expected an address that pip installs")):
        origin(address)


def new(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tidegate.cli", "adapter", "new", "pond", *arguments], cwd=folder, capture_output=True,
        text=True, env={**os.environ, **variables}, timeout=LONGEST_SECONDS,
    )  # fmt: skip


def test_the_address_stands_in_one_place_of_the_project(tmp_path: Path) -> None:
    address = "git+https://host.example/ann/tidegate@v1"
    assert new(tmp_path, "--source", address).returncode == 0
    assert new(tmp_path, "--directory", "again", TIDEGATE_SOURCE=address).returncode == 0
    for project in ("pond", "again"):
        texts = {
            file.name: file.read_text(encoding="utf-8") for file in (tmp_path / project).iterdir() if file.is_file()
        }
        assert {name: text.count(address) for name, text in texts.items() if address in text} == {"tox.ini": 1}
    refused = new(tmp_path, "--directory", "third", "--source", "tidegate")
    assert (refused.returncode, (tmp_path / "third").exists()) == (BAD_INPUT, False)
    assert refused.stderr.startswith("tidegate: field '--source': expected an address")
