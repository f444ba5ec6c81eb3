"""What the tests of other projects share: an environment that shares ours, and a wheel."""

import sys
from pathlib import Path

import pytest

from tests.examples.environments import ROOT, environment_of, run, sharing_venv


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with all that is installed here, and the adapter of the example."""
    venv = sharing_venv(tmp_path_factory.mktemp("shared") / "venv")
    run(venv / "bin" / "pip", "install", "--quiet", "--no-deps", ROOT / "examples" / "mybroker",
        folder=venv, environment=environment_of(venv))  # fmt: skip
    return venv


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel of tidegate, as it would be published."""
    folder = tmp_path_factory.mktemp("wheels")
    environment = environment_of(Path(sys.prefix))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT,
        folder=folder, environment=environment)  # fmt: skip
    assert [wheel.name for wheel in folder.glob("tidegate-*.whl")]
    return folder
