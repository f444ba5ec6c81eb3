"""Writes the scripts that show a violation without tidegate, from the recordings in a report."""

import ast
import sys
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path, PurePosixPath

from jinja2 import Environment, StrictUndefined, Template, TemplateError

from tidegate.conformance.report.reproduce import FOLDER
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, ImplementationReport, Recording, Report, RuleVerdict, ScriptTemplate

TEMPLATE = "reproduce.py.j2"
ADAPTERS = "tidegate.adapters"
"""The package of tidegate's own adapters, and the entry point group of other adapters."""
OF_A_LOOP = {"range", "step"}
"""Names that a step may use besides the functions of its script."""
SIGNS_OF_A_STEP = (
    *(ast.Module, ast.Expr, ast.For, ast.Call, ast.keyword, ast.Name, ast.Load, ast.Store, ast.Constant),
    *(ast.Tuple, ast.List, ast.Dict, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.UnaryOp, ast.USub),
    *(ast.JoinedStr, ast.FormattedValue),
)
"""The syntax of steps: calls with figures and texts, and loops over such calls."""


def scripts(report: Report) -> Iterator[tuple[str, str]]:
    """The path below the report's folder and the text of each script whose check has a recording.

    BadInput if a path leads elsewhere, the template does not exist, or a step is no call of a function of the script.
    """
    for each, verdict, check in _named(report):
        if each.script_template is not None and check.recording is not None:
            sentence = f"{verdict.rule}: {verdict.sentence}"
            text = script(each.script_template, check, sentence, each.implementation.version)
            yield _inside(str(check.script)), text


def write_scripts(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write the scripts below the folder of the report."""
    written = []
    for name, text in scripts(report):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return tuple(written)


def without_recording(report: Report) -> int:
    """The number of scripts that the report names without a recording."""
    named = list(_named(report))
    written = {check.script for each, _, check in named if each.script_template and check.recording}
    return len({check.script for _, _, check in named} - written)


def _named(report: Report) -> Iterator[tuple[ImplementationReport, RuleVerdict, Check]]:
    """The checks with a script, each with its implementation and verdict."""
    for each in report.implementations:
        for verdict in each.verdicts:
            yield from ((each, verdict, check) for check in verdict.checks if check.script is not None)


def script(template: ScriptTemplate, check: Check, sentence: str, version: str) -> str:
    """The script of a check, for a rule with this sentence and an implementation in this version."""
    if not _is_an_adapter(template.package):
        raise BadInput(f"expected the package of an installed adapter, not {template.package!r}", field=check.script)
    recording = check.recording or Recording()
    values = {**template.values, **recording.values, "steps": recording.steps}
    try:
        text = _template(template.package).render(values, check=check, sentence=sentence, version=version)
    except (ImportError, OSError, TypeError, ValueError, TemplateError) as error:
        expected = f"expected what the {TEMPLATE} of the package {template.package!r} fills in ({error})"
        raise BadInput(expected, field=check.script) from None
    _require_calls(check.script, recording, text)
    return text


@cache
def _is_an_adapter(package: str) -> bool:
    """Whether a package belongs to an installed or running adapter: no other may be imported by a report's word."""
    points = entry_points(group=ADAPTERS)
    places = (ADAPTERS, *(point.module.partition(".")[0] for point in points))
    return package in sys.modules or any(f"{package}.".startswith(f"{place}.") for place in places)


@cache
def _template(package: str) -> Template:
    text = files(package).joinpath(TEMPLATE).read_text(encoding="utf-8")
    # a template makes Python, not HTML
    environment = Environment(  # noqa: S701
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters.update(one_line=lambda text: " ".join(text.split()), python=repr)
    return environment.from_string(text)


def _inside(path: str) -> str:
    """The path. BadInput if it leads out of the folder of scripts."""
    parts = PurePosixPath(path).parts
    if parts[:1] != (FOLDER,) or ".." in parts or not path.endswith(".py"):
        raise BadInput(f"expected a script below {FOLDER}/", field=path)
    return path


def _require_calls(name: str | None, recording: Recording, text: str) -> None:
    """BadInput if a step does anything but call the script's own functions: a report from elsewhere is not trusted."""
    try:
        own = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        steps = list(ast.walk(ast.parse("\n".join(recording.steps))))
    except (SyntaxError, ValueError):  # ValueError for a null byte
        raise BadInput("expected steps in Python", field=name) from None
    for node in steps:
        if not isinstance(node, SIGNS_OF_A_STEP) or (isinstance(node, ast.Name) and not _is_known(node, own)):
            raise BadInput(f"expected calls of the script's functions, not {ast.unparse(node)!r}", field=name)


def _is_known(name: ast.Name, own: Collection[str]) -> bool:
    """Whether a name is a function of the script that the step only reads, or a name of a loop."""
    return name.id in OF_A_LOOP or (name.id in own and isinstance(name.ctx, ast.Load))
