"""What is published: the licence is in both archives, and the source archive makes the same wheel as the checkout."""

import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.examples.environments import environment_of, run
from tests.tracked import ROOT

LICENCE = (ROOT / "LICENSE").read_bytes()


def content(wheel: Path) -> dict[str, bytes]:
    """Every file of a wheel but the list of its files, whose order is not kept."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith(".dist-info/RECORD")}


@pytest.mark.nightly
@pytest.mark.from_wheel
def test_the_source_archive_makes_the_wheel_of_the_checkout(tmp_path: Path, checkout: Path, wheel: str) -> None:
    run(sys.executable, "-m", "build", "--outdir", tmp_path, checkout,
        folder=tmp_path, environment=environment_of(Path(sys.prefix)))  # fmt: skip
    (by_source,) = tmp_path.glob("*.whl")
    own = content(by_source)
    assert own == content(Path(wheel.removeprefix("file://")))
    assert [own[name] for name in own if name.endswith(".dist-info/licenses/LICENSE")] == [LICENCE]
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        folder = source.name.removesuffix(".tar.gz")
        found = archive.extractfile(f"{folder}/LICENSE")
        assert found is not None
        assert found.read() == LICENCE
        assert not any(name.startswith(f"{folder}/tests/") for name in archive.getnames())
