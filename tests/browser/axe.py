"""axe-core, which looks for what keeps people from using a page, in the version that the lock file pins."""

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from selenium.webdriver import Chrome

from tidegate.record.cache import cache_folder

HERE = Path(__file__).parent
PINNED = ("package.json", "package-lock.json", ".npmrc")
LONGEST_SECONDS = 300
SETTLED = """
const done = arguments[arguments.length - 1];
const still = new CSSStyleSheet();
still.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; }");
document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
requestAnimationFrame(() => requestAnimationFrame(done));
"""
"""Lets scripts of the page react to a new width, which they are told of when the next frame is drawn.

Transitions are switched off: halfway through one, colours are between two that can be read.
"""
RUN = """
const done = arguments[arguments.length - 1];
const rules = {"color-contrast": {enabled: arguments[0]}};
axe.run(document, {resultTypes: ["violations"], preload: false, rules}).then(
  (result) => done(result.violations.flatMap(({id, help, nodes}) => nodes.map(
    ({target, any, all, none}) => [id, help, target, ...[...any, ...all, ...none].map((one) => one.message)].join(": "),
  ))),
  (error) => done([`axe-core failed: ${error}`]),
);
"""


def findings(browser: Chrome, *, contrast: bool) -> list[str]:
    """What axe-core finds on the page, one line for each element; contrast of colours only where asked."""
    browser.execute_async_script(SETTLED)
    browser.execute_script(_script())
    return list(browser.execute_async_script(RUN, contrast))


@cache
def _script() -> str:
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PINNED)).hexdigest()[:16]
    folder = cache_folder("axe-core") / digest
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        _install(folder)
    return script.read_text(encoding="utf-8")


def _install(folder: Path) -> None:
    """Install what the lock file pins. Two that do so at once get the same, and one of them is kept."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("npm is not here; install the Debian package npm, which fetches axe-core", pytrace=False)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as parent:
        fresh = Path(parent) / "fresh"
        fresh.mkdir()
        for name in PINNED:
            shutil.copy(HERE / name, fresh)
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        ended = subprocess.run(command, cwd=fresh, capture_output=True, text=True, timeout=LONGEST_SECONDS)
        if ended.returncode:
            pytest.fail(f"npm could not install axe-core: {ended.stderr.strip()}", pytrace=False)
        if not folder.exists():
            fresh.rename(folder)
