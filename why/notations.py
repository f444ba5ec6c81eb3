"""Rewrites objects of a broker's management, as programs of Python, Ruby and Go print them, in JSON."""

import ast
import json
import re

from tidegate.why.listings import read_value
from tidegate.why.saved import ALARMS, CONNECTION, FIGURES

NAMES = ALARMS | FIGURES
PYTHON = ("'", "': ")
"""Texts in every printed dictionary of Python."""
STRUCT = re.compile(r"\{(?:\w{1,60}:(?:\[[^\[\]{}]{0,300}\]|[^\s{}]{0,300})(?:\s|(?=\}))){2,200}\}")
"""A structure of Go in the format %+v."""
ARROW = re.compile(r"(?:\"(\w{1,60})\"|:(\w{1,60}))\s?=>\s?")
"""A key of a hash of Ruby, as a text or as a symbol."""
NIL = re.compile(r"\bnil\b")
FIELD = re.compile(r"(\w{1,60}):(\[[^\[\]{}]{0,300}\]|[^\s{}]{0,300})")
INNER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a new word begins in a name such as MemUsed."""
LONGEST = 1_000_000
"""The number of characters of the longest line that is read."""


def as_json(line: str) -> str:
    """The line in JSON if it prints objects with attributes of a broker; any other line unchanged."""
    if len(line) > LONGEST or "{" not in line:
        return line
    if "=>" in line and any(name in line for name in NAMES):
        return _of_ruby(line) or line
    if '"' in line:
        return line
    if all(map(line.__contains__, PYTHON)) and (any(f"'{name}'" in line for name in NAMES) or _of_connections(line)):
        return _of_python(line) or line
    structs = [_of_go(found[0]) for found in STRUCT.finditer(line)] if ":true" in line or ":false" in line else []
    known = [struct for struct in structs if NAMES & struct.keys()]
    return json.dumps(known) if known else line


def _of_connections(line: str) -> bool:
    """Whether a printed dictionary may be of RabbitMQ's connections, with their states."""
    return "'state'" in line and CONNECTION in line


def _of_python(line: str) -> str:
    start = min(place for place in (line.find("["), line.find("{")) if place >= 0)
    try:
        return json.dumps(ast.literal_eval(line[start:].strip()))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""


def _of_ruby(line: str) -> str:
    text = ARROW.sub(lambda found: f'"{found[1] or found[2]}": ', line[line.index("{") :]).strip()
    if "[" in line[: line.index("{")]:
        text = f"[{text}"
    try:
        return json.dumps(json.loads(NIL.sub("null", text)))
    except (ValueError, RecursionError):
        return ""


def _of_go(text: str) -> dict[str, object]:
    return {INNER.sub("_", name).lower(): read_value(value) for name, value in FIELD.findall(text)}
