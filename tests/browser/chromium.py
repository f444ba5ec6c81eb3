"""Chromium without a screen, in the width and the colour scheme that a test asks for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HEIGHT = 900
LONGEST_SCRIPT_SECONDS = 120


@contextmanager
def chromium(profile: Path) -> Iterator[Chrome]:
    """A browser that keeps what it remembers in this folder, and ends with the block."""
    options = ChromeOptions()
    options.binary_location = _installed("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    browser = Chrome(options, ChromeService(_installed("chromedriver")))
    browser.set_script_timeout(LONGEST_SCRIPT_SECONDS)
    try:
        yield browser
    finally:
        browser.quit()


def _installed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.fail(f"{program} is not here; install the Debian packages chromium and chromium-driver", pytrace=False)
    return found


def open_page(browser: Chrome, address: str, scheme: str, *, scripts: bool = True) -> None:
    """Load a page in the light or the dark colour scheme, with its scripts or without."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    browser.get(address)


def make_wide(browser: Chrome, width: int) -> None:
    """Give the window this width, in CSS pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False},
    )
