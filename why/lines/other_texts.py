"""Forms of lines of brokers and clients without rules in the model; `texts.toml` gives the limit that each text
tells."""

import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

from tidegate.model.language.message_text import PLACEHOLDER
from tidegate.why.lines.form import NUMBER, Fields, LineForm, form, number
from tidegate.why.lines.other_brokers import PRODUCTS
from tidegate.why.notices import Blocked, Cause, Figures, Released, Said

SHAPES = {"word": r"[^\s,;\"\[\]]{1,200}", "text": r".{0,300}?", "number": NUMBER}
TOLD = {"place", "client", "limit"}
"""The fields that an answer has; other values in a text are ignored."""
WAIT = "wait"
KEYS = {"product", "setting", "reason", "frees", "change", "ask", "sends", "texts"}
OPTIONAL = {"place_is", "ended_by", "tells_limit", "unit", "goes"}
Row = dict[str, Any]


def _rows() -> list[Row]:
    rows: list[Row] = tomllib.loads(files(__package__).joinpath("texts.toml").read_text())["limit"]
    return rows


def pattern(text: str) -> str:
    """The regular expression of a text with placeholders."""
    pieces, position = [], 0
    for found in PLACEHOLDER.finditer(text):
        shape = SHAPES[found["type"]]
        named = f"(?P<{found['field']}>{shape})" if found["field"] in TOLD else f"(?:{shape})"
        pieces += [re.escape(text[position : found.start()]), named]
        position = found.end()
    return "".join([*pieces, re.escape(text[position:])])


def mark(text: str) -> str:
    """The longest part of a text without a placeholder."""
    return max(PLACEHOLDER.sub("\0", text).split("\0"), key=len)


def _cause(row: Row) -> Cause:
    return Cause(
        family=f"{row['product']} {row['setting']}",
        setting=row["setting"] if row.get("tells_limit", True) else "",
        where=PRODUCTS[row["product"]],
        reason=row["reason"],
        frees=row["frees"],
        change=row["change"],
        ask=row["ask"],
        holds=row["sends"] == WAIT,
        sends=row["sends"],
        tells_release=bool(row.get("ended_by")),
        tells_limit=row.get("tells_limit", True),
        place_is=row.get("place_is", ""),
        goes=row.get("goes", True),
    )


def _blocked(cause: Cause, unit: str) -> Callable[[Fields], Said]:
    def said(fields: Fields) -> Said:
        limit = number(fields.get("limit"))
        return Blocked(cause, fields.get("place") or "", fields.get("client") or "", Figures(limit=limit, unit=unit))

    return said


def _released(cause: Cause) -> Callable[[Fields], Said]:
    return lambda fields: Released((cause.family,), fields.get("place"), fields.get("client") or "")


def _forms(row: Row) -> Iterator[LineForm]:
    cause = _cause(row)
    for text in row["texts"]:
        yield form(mark(text), pattern(text), _blocked(cause, row.get("unit", "messages")))
    for text in row.get("ended_by", ()):
        yield form(mark(text), pattern(text), _released(cause))


ROWS = _rows()
FORMS = tuple(each for row in ROWS for each in _forms(row))
