"""What tests of several folders share."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Chrome]":
    """One Chromium for all pages; a test that needs it fails where there is none."""
    from tests.browser.chromium import chromium

    with chromium(Path(tmp_path_factory.mktemp("chromium"))) as started:
        yield started
