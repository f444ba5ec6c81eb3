"""Checks the imports between parts of the package, and the parts that may use each library.

A text that names a module of the package counts as an import of it, so that an import by name is no way around.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KNOWS = {
    "record": set(),
    "model": {"record"},
    "catalogue": {"record", "model", "spec"},
    "pages": {"record"},
    "explain": {"record", "model", "catalogue"},
    "adapters": {"record"},
    "pipeline": {"record", "model", "catalogue", "pages"},
    "sweep": {"record", "model", "catalogue", "pages", "pipeline"},
    "conformance": {"record", "model", "catalogue", "features", "adapters", "pages"},
    "plugins": {"record", "catalogue", "adapters", "conformance"},
    "why": {"record", "model", "catalogue", "explain"},
    "cli": {"record", "catalogue", "adapters", "conformance", "explain", "pages", "pipeline", "sweep", "why"},
}
"""A part of the package and the other parts that it may import."""
CONTRACT = {"base", "groups", "capabilities"}
ONLY_FROM = {
    ("conformance", "adapters"): CONTRACT,
    ("cli", "adapters"): {"contract", "resolver"},
    ("plugins", "adapters"): {"resolver"},
    ("sweep", "pipeline"): {"work"},
}
"""A part, another one that it may import, and the modules or packages of that one that it may import."""
SHARED_BY_ADAPTERS = {
    *CONTRACT,
    "errors",
    "charge",
    "client_thread",
    "loops",
    "script",
    "priorities",
    "selectors",
    "amqp091",
    "amqp10",
    "faults",
    "jvm",
    "openwire",
    "process",
    "qpid_jms",
    "stomp",
}
MODEL_USES = {
    "types",
    "ast",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "inspect",
    "operator",
    "re",
    "textwrap",
    "typing",
}
RECORD_USES = {
    *{
        "ast",
        "collections",
        "contextlib",
        "dataclasses",
        "difflib",
        "enum",
        "errno",
        "functools",
        "hashlib",
        "importlib",
        "inspect",
        "json",
    },
    *{"os", "pathlib", "re", "shlex", "sys", "tempfile", "textwrap", "types", "typing"},
    *{"annotated_types", "packaging", "platformdirs", "pydantic"},
}
ONLY_IN = {
    "z3": "tidegate.conformance.proofs",
    "pyspark": "tidegate.pipeline",
    "py4j": "tidegate.pipeline",
    "polars": ("tidegate.pipeline", "tidegate.sweep.table"),
    "pyarrow": "tidegate.pipeline",
    "prometheus_client": "tidegate.pipeline.metrics.prometheus",
    "opentelemetry": "tidegate.pipeline.metrics.otlp",
    "proton": "tidegate.adapters.amqp10",
    "pika": "tidegate.adapters.amqp091",
    "jpype": "tidegate.adapters.jvm",
    "pytest": ("tidegate.conformance", "tidegate.plugins"),
    "pytest_bdd": "tidegate.conformance",
    "hypothesis": "tidegate.conformance",
    "click": "tidegate.cli",
    "tox": "tidegate.plugins",
    "defusedxml": "tidegate.explain",
}
"""A library and the parts of the package that may use it."""
MODULE_NAME = re.compile(r"tidegate(\.\w+)+")


def modules() -> Iterator[tuple[str, str]]:
    """Every module of the package and its source."""
    for part in KNOWS:
        for file in sorted((ROOT / part).rglob("*.py")):
            yield "tidegate." + ".".join(file.relative_to(ROOT).with_suffix("").parts), file.read_text(encoding="utf-8")


def imports(source: str) -> Iterator[str]:
    """Every module that a source imports, or names in a text."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str() as module, level=0, names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Constant(value=str() as text) if found := MODULE_NAME.match(text):
                yield found[0]


def offences(module: str, source: str) -> list[str]:
    """The forbidden imports of a module."""
    return [f"{module} imports {name}" for name in imports(source) if not may_import(module, name)]


def may_import(module: str, imported: str) -> bool:
    """Whether the rules above allow a module to import another one."""
    part, library = module.split(".")[1], imported.split(".")[0]
    if library != "tidegate":
        return may_use(module, part, library)
    if imported == "tidegate":
        return True
    other = imported.split(".")[1]
    if part == "adapters":
        return may_adapter_import(module, imported, other)
    if (part, other) in ONLY_FROM:
        return [*imported.split("."), ""][2] in {"", *ONLY_FROM[part, other]}
    return other == part or other in KNOWS[part]


def may_use(module: str, part: str, library: str) -> bool:
    """Whether a module may use a library."""
    if part == "model":
        return library in MODEL_USES
    if part == "record":
        return library in RECORD_USES
    places = ONLY_IN.get(library, "tidegate")
    return any(f"{module}.".startswith(f"{place}.") for place in ((places,) if isinstance(places, str) else places))


def may_adapter_import(module: str, imported: str, other: str) -> bool:
    """Whether an adapter may import a module: of record, a shared one, its own; the reference also of the model."""
    family = module.split(".")[2]
    if other != "adapters":
        return other == "record" or (other == "model" and family == "reference")
    of = [*imported.split("."), ""][2]
    return family == "resolver" or of in {"", family, *SHARED_BY_ADAPTERS}


@pytest.mark.parametrize(("module", "source"), [pytest.param(*found, id=found[0]) for found in modules()])
def test_imports_run_one_way(module: str, source: str) -> None:
    assert offences(module, source) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("tidegate.record.events", "from tidegate.model.mechanisms import gate"),
        ("tidegate.model.mechanisms.gate", "import pathlib"),
        ("tidegate.model.mechanisms.gate", "import z3"),
        ("tidegate.model.mechanisms.gate", "from tidegate.catalogue import catalogue"),
        ("tidegate.catalogue.shelf", "from tidegate.conformance.forms import forms"),
        ("tidegate.conformance.lab", "from tidegate.adapters.artemis.adapter import ArtemisAdapter"),
        ("tidegate.conformance.lab", "from tidegate.adapters.resolver import resolve"),
        ("tidegate.conformance.lab", "find('tidegate.adapters.reference.qpid:QpidReference')"),
        ("tidegate.conformance.lab", "import z3"),
        ("tidegate.conformance.lab", "from tidegate.pipeline import check"),
        ("tidegate.pipeline.judge.streams", "from tidegate.adapters import base"),
        ("tidegate.pipeline.judge.streams", "from tidegate.conformance import lab"),
        ("tidegate.pipeline.metrics.growing", "import prometheus_client"),
        ("tidegate.pipeline.metrics.prometheus", "from opentelemetry import metrics"),
        ("tidegate.pipeline.report.page", "from tidegate.conformance.report import html"),
        ("tidegate.conformance.report.html.page", "import polars"),
        ("tidegate.pages.environment", "from tidegate.model.mechanisms import gate"),
        ("tidegate.adapters.amqp10.client", "from tidegate.model.mechanisms import artemis"),
        ("tidegate.adapters.amqp10.client", "from tidegate.adapters.reference.storage import Storage"),
        ("tidegate.adapters.base", "from tidegate.conformance.lab import Lab"),
        ("tidegate.why.reading", "from tidegate.pipeline.read import lines"),
        ("tidegate.pipeline.work.engines", "from tidegate.sweep import running"),
        ("tidegate.sweep.running", "from tidegate.adapters import base"),
        ("tidegate.sweep.running", "from tidegate.pipeline.check import engine"),
        ("tidegate.sweep.running", "import polars"),
        ("tidegate.why.reading", "import polars"),
        ("tidegate.cli.run", "from tidegate.adapters.artemis.adapter import ArtemisAdapter"),
        ("tidegate.cli.run", "from tidegate.model.mechanisms import gate"),
        ("tidegate.plugins.gate", "from tidegate.model.mechanisms import gate"),
        ("tidegate.plugins.gate", "from tidegate.adapters.reference.qpid import QpidReference"),
        ("tidegate.explain.bounds", "from tidegate.conformance.proofs import artemis_bound"),
        ("tidegate.explain.bounds", "from tidegate.adapters.reference.artemis import ArtemisReference"),
        ("tidegate.conformance.session", "import tox"),
        ("tidegate.conformance.session", "from pyspark.sql import SparkSession"),
    ],
)
def test_an_import_against_the_grain_is_noticed(module: str, line: str) -> None:
    assert offences(module, line) != []


def test_every_part_is_looked_at() -> None:
    assert {name.split(".")[1] for name, _ in modules()} == set(KNOWS)
    assert {"tidegate.model.language.rule", "tidegate.conformance.proofs.solver"} <= {name for name, _ in modules()}
    assert set(sys.stdlib_module_names) >= MODEL_USES


MOST_LAYERS = 6


def pipeline_classes() -> Iterator[tuple[str, str]]:
    """Every class of the pipeline, and its module."""
    for module, source in modules():
        if module.startswith("tidegate.pipeline."):
            yield from ((node.name, module) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef))


def packages_of_pipeline() -> dict[str, set[str]]:
    """For each package of the pipeline, the other packages that its modules import, at any place in a module."""
    found: dict[str, set[str]] = {}
    for module, source in modules():
        part, package, *_ = [*module.split(".")[1:], ""]
        if part == "pipeline" and package != "__init__":
            named = {name.split(".")[2] for name in imports(source) if name.startswith("tidegate.pipeline.")}
            found.setdefault(package, set()).update(named - {package})
    return found


def layer(package: str, packages: dict[str, set[str]], above: tuple[str, ...] = ()) -> int:
    """The layer of a package: 1 without imports of other packages, else one above the highest layer that it imports."""
    assert package not in above, f"{' imports '.join((*above, package))}"
    return 1 + max((layer(each, packages, (*above, package)) for each in packages[package]), default=0)


def test_packages_of_the_pipeline_stand_in_six_layers() -> None:
    packages = packages_of_pipeline()
    assert {"forms", "read", "judge", "stops", "store", "check"} <= set(packages)
    assert max(layer(package, packages) for package in packages) <= MOST_LAYERS


def test_an_import_that_makes_a_circle_is_noticed() -> None:
    with pytest.raises(AssertionError, match="read imports store imports read"):
        layer("read", packages_of_pipeline() | {"read": {"store"}, "store": {"read"}})


def test_no_class_of_the_pipeline_has_the_name_of_another() -> None:
    places: dict[str, list[str]] = {}
    for name, module in pipeline_classes():
        places.setdefault(name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
