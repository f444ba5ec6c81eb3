"""Writes report.json, and reads it with full validation."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tidegate.conformance.report.verdicts import counts
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.report import SCHEMA_VERSION, Report

REPORT = TypeAdapter(Report)


def report_schema() -> dict[str, Any]:
    """The JSON schema of report.json."""
    return REPORT.json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def write_report(report: Report, path: Path) -> None:
    """Write report.json, indented by two spaces, so that two runs can be compared line by line."""
    path.write_bytes(REPORT.dump_json(report, indent=2) + b"\n")


def read_report(path: Path) -> Report:
    """Read report.json. Raises BadInput if it is malformed, incomplete, or its footer does not fit its verdicts."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"expected a report.json, but {in_words(error)}", file=path) from error
    except UnicodeDecodeError as error:
        raise BadInput("expected UTF-8 text", file=path) from error
    except json.JSONDecodeError as error:
        raise BadInput(f"expected JSON ({error.msg})", file=path, line=error.lineno) from error
    if not isinstance(content, dict):
        raise BadInput("expected one JSON object", file=path, line=1)
    if "footer" not in content:
        raise BadInput("expected a footer; the report is incomplete", file=path, field="footer")
    if content.get("schema") != SCHEMA_VERSION:
        expected = f"expected version {SCHEMA_VERSION}, not {content.get('schema')!r}; run again for a report to read"
        raise BadInput(expected, file=path, field="schema")
    try:
        # JSON has no tuples and no enums: JSON mode turns its arrays and texts into them, and nothing else
        report = REPORT.validate_json(json.dumps(content), strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(_expectation(first["msg"]), file=path, field=_field(content, first["loc"])) from error
    _require_sums(report, path)
    return report


def _require_sums(report: Report, path: Path) -> None:
    """BadInput if the footer does not count the verdicts and checks above it, as in a truncated or mixed-up report."""
    verdicts, checks = counts(report.implementations)
    counted = {kind: number for kind, number in verdicts.items() if number or kind in report.footer.verdicts}
    if report.footer.verdicts != counted:
        raise BadInput(f"expected the counts of the verdicts above, {verdicts}", file=path, field="footer.verdicts")
    if report.footer.checks != checks:
        raise BadInput(f"expected the number of checks above, {checks}", file=path, field="footer.checks")


def _field(content: Any, place: Sequence[int | str]) -> str:
    """The path of a field, with the id of each rule and the name of each check on it."""
    words: list[str] = []
    for step in place:
        words.append(str(step))
        try:
            content = content[step]
        except (KeyError, IndexError, TypeError):
            content = None  # the path names a field that is missing
        if isinstance(content, dict) and isinstance(step, int):
            name = content.get("rule") or content.get("check")
            words[-1] += f" ({name})" if name else ""
    return ".".join(words)


def _expectation(message: str) -> str:
    return message[:1].lower() + message[1:]
