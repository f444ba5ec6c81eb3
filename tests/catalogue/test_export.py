"""The export fits the schema, and the schema is the published one."""

import json

import jsonschema

from tidegate.catalogue import catalogue, spec_version
from tidegate.catalogue.export import SCHEMA_FILE, schema_json, specification, to_json
from tidegate.catalogue.ledger import ledgers
from tidegate.catalogue.shelf import spec_folder


def exported() -> dict[str, object]:
    text = to_json(specification(spec_version(), tuple(catalogue().values()), ledgers()))
    return dict(json.loads(text))


def test_the_published_schema_is_current() -> None:
    assert spec_folder().joinpath(SCHEMA_FILE).read_text(encoding="utf-8") == schema_json()


def test_the_export_fits_its_schema() -> None:
    schema = json.loads(schema_json())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(exported(), schema)


def test_the_export_holds_every_rule_in_order() -> None:
    rules = exported()["rules"]
    assert isinstance(rules, list)
    assert [rule["id"] for rule in rules] == list(catalogue())
