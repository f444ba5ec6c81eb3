"""What the tests of other projects share: an environment that shares ours, a checkout, and a wheel."""

import sys
from pathlib import Path

import pytest

from tests.examples.environments import ROOT, environment_of, run, sharing_venv
from tests.tracked import copied


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with all that is installed here, and the adapter of the example."""
    venv = sharing_venv(tmp_path_factory.mktemp("shared") / "venv")
    run(venv / "bin" / "pip", "install", "--quiet", "--no-deps", ROOT / "examples" / "mybroker",
        folder=venv, environment=environment_of(venv))  # fmt: skip
    return venv


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of tidegate as somebody has it who has just fetched it, in a folder of that name."""
    return copied(tmp_path_factory.mktemp("fetched") / "tidegate")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> str:
    """The address of a wheel of tidegate."""
    folder = tmp_path_factory.mktemp("wheels")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, checkout,
        folder=folder, environment=environment_of(Path(sys.prefix)))  # fmt: skip
    (built,) = folder.glob("tidegate-*.whl")
    return built.as_uri()
