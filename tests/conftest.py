"""The Hypothesis profiles and the fixtures that tests of several folders share."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from hypothesis.internal.constants_ast import Constants

from tests.draws import are_fixed
from tidegate.cli.main import OBJECTS_UNTIL_COLLECTION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from selenium.webdriver import Chrome

    from tests.together import LoadTogether


class WithoutConstants(HypothesisProvider):
    """Draws as Hypothesis does, but no constants from the modules that happen to be loaded."""

    def __init__(self, conjecturedata: Any, /) -> None:
        super().__init__(conjecturedata)
        self._local_constants = Constants()


AVAILABLE_PROVIDERS["without constants"] = WithoutConstants
settings.register_profile(
    "fixed",
    backend="without constants",
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
"""The same examples in every run, so that no change fails by chance; without shrinking, which can take minutes."""
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
"""New examples in each run, shrunk: `pytest --hypothesis-profile=explore`, as `tox -e nightly` does."""
settings.load_profile("fixed")

# what collecting tests leaves lives as long as the process, so garbage collection among it only takes time
gc.set_threshold(OBJECTS_UNTIL_COLLECTION)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadTogether | None":
    """The scheduler for `--dist loadfile`: files that share a fixture of the session go to one process."""
    from tests.together import LoadTogether

    return LoadTogether(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems() -> None:
    """Keep Hypothesis from searching all loaded modules for constants, which takes seconds, if none are drawn."""
    if are_fixed():
        providers._seen_modules.update(map(id, sys.modules.values()))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Chrome]":
    """One Chromium for all pages; a test that needs it fails if it is not installed."""
    from tests.browser.chromium import chromium

    with chromium(Path(tmp_path_factory.mktemp("chromium"))) as started:
        yield started


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> "SparkSession":
    """One Spark session on this machine for all tests; the code under test finds it active."""
    from tidegate.pipeline.work.spark import spark_session

    return spark_session(tmp_path_factory.mktemp("spark") / "spark.txt", "local[2]")
