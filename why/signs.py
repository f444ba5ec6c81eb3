"""Tells which signs a line has, in one pass: marks of forms, troubles, names of attributes, and parts of dumps."""

from tidegate.why import dumps, rows, troubles
from tidegate.why.marks import MARKS
from tidegate.why.needles import Needles

SIGNS = Needles((*MARKS, *troubles.SIGNS, *rows.SOUGHT, *dumps.SIGNS))


def signs_of(text: str) -> frozenset[str]:
    """All signs that a line has."""
    return frozenset(SIGNS.found(text))
