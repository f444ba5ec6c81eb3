"""Verdicts, exit codes and the report's schema."""

import inspect

from generate.attributes import about, fields_table
from generate.markup import code, paragraphs, table
from tidegate.record import report
from tidegate.record.docstrings import described
from tidegate.record.errors import ExitCode
from tidegate.record.verdict import Verdict

PARTS = (
    *(report.Report, report.Footer, report.ImplementationReport, report.Implementation),
    *(report.ScriptTemplate, report.RuleVerdict, report.Check, report.Recording),
)
WORDS = (report.CheckKind, report.CheckResult)


def exit_codes() -> str:
    """Every exit code with its meaning."""
    texts = described(ExitCode)
    return table(["code", "name", "when"], [(str(int(each)), code(each.name), texts[each.name]) for each in ExitCode])


def verdicts() -> str:
    """Every verdict with its meaning."""
    texts = described(Verdict)
    return table(["verdict", "meaning"], [(each.value, texts[each.name]) for each in Verdict])


def schema() -> str:
    """The parts of report.json, from the whole to the single check."""
    parts = [paragraphs(f"## {part.__name__}", about(part), fields_table(part)) for part in PARTS]
    words = [
        paragraphs(
            f"## {word.__name__}",
            inspect.getdoc(word) or "",
            table(["word", "meaning"], [(code(each.value), described(word)[each.name]) for each in word]),
        )
        for word in WORDS
    ]
    return paragraphs(*parts, *words)
