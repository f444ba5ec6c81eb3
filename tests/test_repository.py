"""Checks the files that a newcomer looks for first: licence, citation, versions, forms for reports, one address."""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.licenses import canonicalize_license_expression

from tests.tracked import ROOT, files, text_of
from tidegate.record.version import VERSION

PUBLISHED_LICENCE = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
"""The digest (SHA-256) of the text of the Apache License 2.0 as the foundation publishes it."""
PLACEHOLDER = "address.invalid"
FORMS = sorted(ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"))


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads(text_of(Path("pyproject.toml")))["project"]
    return table


def citation() -> dict[str, Any]:
    facts = yaml.safe_load(text_of(Path("CITATION.cff")))
    assert isinstance(facts, dict)
    return facts


def follows(schema: str, file: Path) -> bool:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0 or "Schema validation errors" in ended.stdout, ended.stderr
    return ended.returncode == 0


def test_the_licence_is_the_published_text_and_is_named_everywhere() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == PUBLISHED_LICENCE
    assert project()["license-files"] == ["LICENSE"]
    assert project()["license"] == citation()["license"] == canonicalize_license_expression("apache-2.0")
    assert "Apache License 2.0" in text_of(Path("README.md"))


def test_version_and_date_are_the_same_everywhere() -> None:
    releases = re.findall(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", text_of(Path("CHANGELOG.md")), re.MULTILINE)
    assert releases[0] == (VERSION, citation()["date-released"])
    assert citation()["version"] == VERSION
    assert citation()["authors"] == project()["authors"]


def test_the_changelog_has_the_form_that_it_names() -> None:
    headings = re.findall(r"^## (.+)$", text_of(Path("CHANGELOG.md")), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    kinds = set(re.findall(r"^### (.+)$", text_of(Path("CHANGELOG.md")), re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_citation_follows_the_published_schema(tmp_path: Path) -> None:
    assert follows("citation-file-format", ROOT / "CITATION.cff")
    (tmp_path / "CITATION.cff").write_text(json.dumps({**citation(), "type": "novel"}), encoding="utf-8")
    assert not follows("citation-file-format", tmp_path / "CITATION.cff")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_the_forms_for_issues_follow_the_published_schema(form: Path, tmp_path: Path) -> None:
    schema = "github-issue-config" if form.stem == "config" else "github-issue-forms"
    assert follows(schema, form)
    facts = yaml.safe_load(form.read_text(encoding="utf-8"))
    first = next(iter(facts))
    (tmp_path / form.name).write_text(json.dumps({**facts, first: []}), encoding="utf-8")
    assert not follows(schema, tmp_path / form.name)


def test_there_are_forms_for_issues_and_for_changes() -> None:
    assert {form.stem for form in FORMS} == {"config", "rule", "tidegate", "verdict"}
    assert "Each new check was seen to fail" in text_of(Path(".github/PULL_REQUEST_TEMPLATE.md"))


def test_the_address_of_the_project_is_filled_in_once() -> None:
    own = Path(__file__).relative_to(ROOT)
    places = [file for file in files() if file != own and PLACEHOLDER in text_of(file)]
    assert places in ([Path("pyproject.toml")], [])
    assert len(project()["urls"]) == 1


def test_modules_of_tests_outside_packages_have_names_of_their_own() -> None:
    """Pytest imports a test module outside of a package by its name alone, and refuses a second one of that name."""
    outside = [path.name for path in ROOT.glob("tests/*/test_*.py") if not path.with_name("__init__.py").exists()]
    assert {name for name in outside if outside.count(name) > 1} == set()
