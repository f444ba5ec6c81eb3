"""Makes the pictures of the documentation again, by a headless Chromium: `python docs/images/make.py`.

Each picture is a part of a page that a command writes from what is committed, so nothing runs but the command and the
browser. BROWSER names another program than `chromium`.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROMIUM = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
MOST_SECONDS = 300


@dataclass(frozen=True)
class Picture:
    """A picture: the command after `tidegate`, the page that it writes to FOLDER, and what of the page is shown."""

    name: str
    command: tuple[str, ...]
    page: str
    width: int
    height: int
    scale: float = 1
    hidden: str = ""
    """What of the page is left out, as a CSS selector."""


PICTURES = (
    Picture(
        "report.png",
        ("report", "render", "reports/artemis-2.44.0/report.json", "--to", "FOLDER"),
        "report.html", width=1200, height=1030, scale=1.5,
    ),
    Picture(
        "trace-report.png",
        (
            *("trace", "check", "reports/artemis-2.44.0/trace-artemis-2.44.0.jsonl"),
            *("--engine", "plain", "--quiet", "--report", "FOLDER"),
        ),
        "trace-report.html", width=1100, height=840, hidden="header, section:not(.measures)",
    ),
    Picture(
        "sweep.png",
        (
            *("sweep", "--mechanism", "qpid-queue,artemis-core", "--producers", "1,2,4,8"),
            *("--capacity", "20000,40000,60000,80000,100000", "--resume-percent", "0,80,110"),
            *("--window", "5000,20000", "--size", "1000", "--report", "FOLDER", "--quiet"),
        ),
        "sweep.html", width=1150, height=860,
    ),
)  # fmt: skip


def make(picture: Picture, folder: Path) -> Path:
    """Write the page and take its picture. CalledProcessError where the command or the browser fails."""
    command = [folder.as_posix() if word == "FOLDER" else word for word in picture.command]
    ended = subprocess.run(
        [sys.executable, "-m", "tidegate.cli", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
    )
    # a report with violations is one to show
    if ended.returncode not in (0, 1):
        raise subprocess.CalledProcessError(ended.returncode, command, ended.stdout, ended.stderr)
    page = folder / picture.page
    if picture.hidden:
        text = page.read_text(encoding="utf-8")
        style = f"<style>{picture.hidden} {{display: none}}</style></head>"
        page.write_text(text.replace("</head>", style, 1), encoding="utf-8")
    made = HERE / picture.name
    subprocess.run(
        [
            *(os.environ.get("BROWSER", "chromium"), *CHROMIUM, f"--user-data-dir={folder / 'browser'}"),
            *(f"--window-size={picture.width},{picture.height}", f"--force-device-scale-factor={picture.scale}"),
            *(f"--screenshot={made}", page.as_uri()),
        ],
        check=True, capture_output=True, timeout=MOST_SECONDS,
    )  # fmt: skip
    return made


def main() -> None:
    """Make the pictures that are named, or all of them."""
    for picture in PICTURES:
        if picture.name in sys.argv[1:] or not sys.argv[1:]:
            with tempfile.TemporaryDirectory(prefix="tidegate-picture-") as folder:
                print(make(picture, Path(folder)).relative_to(ROOT))  # noqa: T201


if __name__ == "__main__":
    main()
