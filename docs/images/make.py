"""Writes the picture of the README again: `python docs/images/make.py`. The site makes its own as it is built."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from generate import pictures

NAME = "trace-check"
FILE = Path(__file__).parent / f"{NAME}.svg"


def drawn() -> str:
    """The present picture as SVG."""
    picture = pictures.PICTURES[NAME]
    assert isinstance(picture, pictures.Screen)
    return pictures.screen(picture, *picture.wide)


if __name__ == "__main__":
    FILE.write_text(drawn(), encoding="utf-8")
