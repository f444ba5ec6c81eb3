"""The folder of a store is described, used by one run at a time, and never taken for one by mistake."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.pipeline.episode import EPISODE
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.read.tables import FIELDS
from tidegate.pipeline.store.layout import opened
from tidegate.record.errors import BadInput

LOG = EPISODE[0]


def refusal(folder: Path) -> str:
    with pytest.raises(BadInput) as refused, opened(folder):
        pass
    return str(refused.value)


def test_a_folder_that_is_not_there_becomes_a_store(tmp_path: Path) -> None:
    with opened(tmp_path / "new" / "out"):
        pass
    said = json.loads((tmp_path / "new" / "out" / "store.json").read_text())
    assert said == {"format": "tidegate-store", "schema": 3}


def test_a_folder_that_holds_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert refusal(tmp_path) == (
        f"{tmp_path}: expected an empty folder or one with store.json, but it holds thesis.txt; "
        "name another folder for the report"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{"format": "tidegate-store", "schema": 1}', "field 'schema': expected a store of version 3, not 1"),
        ('{"format": "other", "schema": 3}', "field 'format': expected 'tidegate-store', not 'other'"),
        ('{"format": "tidegate-store"', "expected the description of a store, with format and schema"),
        ("[]", "expected the description of a store, with format and schema"),
    ],
)
def test_a_store_of_another_version_is_refused_and_left_as_it_is(tmp_path: Path, said: str, expected: str) -> None:
    (tmp_path / "store.json").write_text(said)
    assert refusal(tmp_path).startswith(f"{tmp_path / 'store.json'}: {expected}")
    assert (tmp_path / "store.json").read_text() == said


def test_a_place_for_a_report_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file" / "out") == (
        f"{tmp_path / 'file' / 'out'}: expected a folder that can be written, but a part of its path is a file"
    )


def test_a_store_is_written_by_one_run_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path):
        assert refusal(tmp_path) == f"{tmp_path}: expected a store that no other run is writing"
    with opened(tmp_path):
        pass


def test_what_is_read_together_has_files_of_one_name_and_the_tables_are_read_as_one(tmp_path: Path) -> None:
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(LOG + LOG.replace("1,200", "1,20"))
    out = tmp_path / "out"
    check_files([tmp_path], out, catalogue())
    names = {path.stem for path in (out / "commits").iterdir()}
    assert len(names) == 1
    for folder in ("events", "quarantine"):
        assert {path.stem for path in (out / folder).iterdir()} == names
    table = pq.read_table(out / "events")
    assert table.column_names == ["input", "line", *FIELDS, "broker", "version", "host", "stream", "split"]
    assert {(row["broker"], row["version"]) for row in table.to_pylist()} == {("qpid", None)}
    assert len({(row["input"], row["split"]) for row in table.to_pylist()}) == 2
    assert [row["line"] for row in pq.read_table(out / "quarantine").to_pylist()] == [2, 2]
    assert list((out / "partial").iterdir()) == []
