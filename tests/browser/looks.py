"""A page in the widths and colour schemes of its readers, and what is wrong with it there."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from selenium.webdriver import Chrome

from tests.browser import axe
from tests.browser.chromium import make_wide, open_page

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true;"


class Look(NamedTuple):
    """How a reader sees a page: a colour scheme, and a width in CSS pixels."""

    scheme: str
    width: int


LOOKS = tuple(Look(scheme, width) for scheme in ("light", "dark") for width in (400, 1280, 1920))
EXTREMES = (Look("light", 400), Look("dark", 1920))
"""What a change looks at; nightly tests see every look.

There axe-core looks at contrast, which takes most of its time and depends on the scheme and not on the width.

Elsewhere it does not look at long pages at all: what they are made of is on short pages in every look.
"""


def faults(
    browser: Chrome, address: str, looks: Collection[Look] = LOOKS, with_axe: Collection[Look] = LOOKS
) -> list[str]:
    """What is wrong with the layout in these looks, folded or not, and what axe-core finds in some, unfolded."""
    found = []
    for scheme in dict.fromkeys(look.scheme for look in looks):
        open_page(browser, address, scheme)
        for fold in ("folded", "unfolded"):
            if fold == "unfolded":
                browser.execute_script(UNFOLD)
            for look in looks:
                if look.scheme == scheme:
                    make_wide(browser, look.width)
                    wrong = browser.execute_script(LAYOUT)
                    if fold == "unfolded" and look in with_axe:
                        wrong += axe.findings(browser, contrast=look in EXTREMES)
                    found += [f"{scheme}, {look.width} px, {fold}: {one}" for one in wrong]
    return found
