"""Takes a picture of a page with a headless Chromium."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
MOST_SECONDS = 60


@dataclass(frozen=True)
class Window:
    """The size of the browser window in CSS pixels, and the pixels of the picture for one CSS pixel (`scale`)."""

    width: int
    height: int
    scale: float = 1.5


def program() -> str | None:
    """The program that BROWSER names, by default chromium; None if it is not installed."""
    return shutil.which(os.environ.get("BROWSER", "chromium"))


def photograph(page: Path, window: Window, made: Path) -> None:
    """Write a PNG of the upper end of a page. CalledProcessError if the browser fails."""
    browser = program()
    assert browser is not None, "callers ask first whether there is one"
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tidegate-browser-") as profile:
        subprocess.run(
            [
                *(browser, *FLAGS, f"--user-data-dir={profile}", f"--window-size={window.width},{window.height}"),
                *(f"--force-device-scale-factor={window.scale}", f"--screenshot={made}", page.as_uri()),
            ],
            check=True, capture_output=True, timeout=MOST_SECONDS,
        )  # fmt: skip
