"""The protocol is the adapter contract in lines: its verbs, its schema and its page have all of it."""

import inspect
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tidegate.adapters.base import Adapter, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.stdio.adapter import StdioAdapter
from tidegate.adapters.stdio.messages import Trouble
from tidegate.adapters.stdio.schema import FILE, schema
from tidegate.adapters.stdio.settings import FOLDER, TIMEOUT, VALIDATE
from tidegate.adapters.stdio.verbs import VERBS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
ENVELOPE = {"id", "verb", "answer", "error"}


def methods(protocol: type) -> set[str]:
    return {name for name, member in vars(protocol).items() if inspect.isfunction(member) and name[0] != "_"}


def session() -> list[tuple[str, str]]:
    """The lines of the session that the page shows, each with its sign."""
    block = re.search(r"<!-- session: queue gate -->\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    return [(line[0], line[2:]) for line in block[1].splitlines()]


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables below a heading of the page, without the rows that name the columns."""
    section = re.search(rf"^## {heading}$(.*?)^##", PAGE, re.DOTALL | re.MULTILINE)
    assert section is not None
    lines = [line for line in section[1].splitlines() if re.match(r"\|.*`", line)]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_the_published_schema_is_what_the_contract_gives() -> None:
    published = json.loads(files("tidegate.adapters.stdio").joinpath(FILE).read_text(encoding="utf-8"))
    assert schema() == published, "write it anew: python -m tidegate.adapters.stdio.schema"
    Draft202012Validator.check_schema(published)


def test_every_verb_of_the_contract_is_a_verb_of_the_protocol() -> None:
    assert {name for name, verb in VERBS.items() if not verb.capabilities} == methods(Adapter)
    for capability, group in GROUPS.items():
        assert {name for name, verb in VERBS.items() if capability in verb.capabilities} == methods(group)


@pytest.mark.parametrize("protocol", [Adapter, *dict.fromkeys(GROUPS.values())], ids=lambda protocol: protocol.__name__)
def test_the_adapter_has_every_verb_as_the_contract_has_it(protocol: type) -> None:
    for name in methods(protocol):
        assert inspect.signature(getattr(StdioAdapter, name)) == inspect.signature(getattr(protocol, name))


def test_no_argument_has_a_name_that_every_line_has() -> None:
    assert all(ENVELOPE.isdisjoint(verb.parameters) for verb in VERBS.values())


def test_a_request_leaves_out_what_has_its_default() -> None:
    declare = VERBS["declare"].request(id=2, verb="declare", destination="q", limits=Limits(limit_bytes=5))
    assert declare.model_dump_json(exclude_defaults=True) == (
        '{"id":2,"verb":"declare","destination":"q","limits":{"limit_bytes":5}}'
    )
    opened = VERBS["open_producer"].request(
        id=3,
        verb="open_producer",
        producer="p",
        connection="c",
        destinations=("q",),
        options=ProducerOptions(obeys=False),
    )
    assert opened.model_dump_json(exclude_defaults=True) == (
        '{"id":3,"verb":"open_producer","producer":"p","connection":"c","destinations":["q"],"options":{"obeys":false}}'
    )


def test_every_line_of_the_session_on_the_page_fits_the_schema() -> None:
    validator = Draft202012Validator(schema())
    signs = [sign for sign, _ in session()]
    assert signs == [">", "<"] * (len(signs) // 2) and len(signs) >= 30
    for _, line in session():
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 1, "verb": "sned"}',
        '{"id": 1, "verb": "depth"}',
        '{"id": 1, "verb": "depth", "destination": "q", "queue": "q"}',
        '{"answer": null}',
        '{"id": 1, "answer": "perhaps"}',
        '{"id": 1, "answer": {"bytes": 1}}',
        '{"id": 1, "error": {"kind": "tired", "message": "later"}}',
        '{"id": 1, "answer": {"protocol": 2, "identity": {"name": "n", "version": "1"}, "capabilities": []}}',
        '{"id": 1, "answer": {"protocol": 1, "identity": {"name": "n", "version": "1"}, "capabilities": ["purges"]}}',
    ],
)
def test_a_line_that_is_none_of_the_protocol_does_not_fit_the_schema(line: str) -> None:
    with pytest.raises(ValidationError):
        Draft202012Validator(schema()).validate(json.loads(line))


def test_the_page_has_every_verb_with_its_arguments_and_its_capability() -> None:
    said = {name: (arguments, "") for name, arguments, *_ in rows("Verbs of every program")}
    capability = ""
    for named, name, arguments, *_ in rows("Verbs of the groups"):
        capability = named or capability
        said[name] = arguments, capability
    assert set(said) == {f"`{name}`" for name in VERBS}
    for name, verb in VERBS.items():
        arguments, capability = said[f"`{name}`"]
        assert re.findall(r"\w+", arguments) == list(verb.parameters), name
        assert re.findall(r"`([\w-]+)`", capability) == list(verb.capabilities), name


def test_the_page_has_every_word_that_a_program_must_know() -> None:
    words = [*Outcome, *Trouble, VALIDATE, FOLDER, TIMEOUT]
    assert [word for word in words if f"`{word}" not in PAGE] == []
