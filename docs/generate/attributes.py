"""Tables of the docstrings of dataclasses and of their fields."""

import inspect

from generate.markup import code, table
from tidegate.record.docstrings import WrittenField, written_fields


def fields_table(cls: type) -> str:
    """A table of the fields of a dataclass."""
    return table_of(tuple(written_fields(cls)))


def table_of(fields: tuple[WrittenField, ...]) -> str:
    """A table of fields, without the columns of defaults or meanings if no field has any."""
    heads = ["field", "type"]
    rows = [[code(field.name), code(field.type)] for field in fields]
    for head, cells in (
        ("default", [code(field.default) if field.default else "" for field in fields]),
        ("meaning", [field.meaning for field in fields]),
    ):
        if any(cells):
            heads.append(head)
            rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    return table(heads, rows)


def about(cls: type) -> str:
    """The docstring of a class, lines joined within each paragraph."""
    return inspect.getdoc(cls) or ""
