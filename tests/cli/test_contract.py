"""`tidegate adapter contract`: everything of the contract is there, and fits a terminal of 80 columns."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tidegate.adapters import base, groups
from tidegate.adapters.capabilities import CAPABILITIES, GROUPS
from tidegate.record.docstrings import described

CONFIGURED = (base.Limits, groups.Usage, base.ProducerOptions, groups.ConsumerOptions)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    ended = tidegate("adapter", "contract", folder=tmp_path_factory.mktemp("contract"))
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_the_contract_is_plain_text_of_80_columns(printed: str) -> None:
    assert [line for line in printed.splitlines() if len(line) > 80] == []
    assert printed.isascii()
    assert "\x1b" not in printed


def test_every_verb_capability_and_word_is_there(printed: str) -> None:
    protocols = (base.Adapter, *GROUPS.values())
    verbs = {name for each in protocols for name, verb in vars(each).items() if inspect.isfunction(verb)}
    verbs = {name for name in verbs if not name.startswith("_")}
    assert len(verbs) > 30
    assert verbs - set(re.findall(r"^  (\w+)\(", printed, re.MULTILINE)) == set()
    words = CAPABILITIES | {outcome.value for outcome in base.Outcome}
    assert words - set(re.findall(r"^  ([a-z-]+) ", printed, re.MULTILINE)) == set()


@pytest.mark.parametrize("value", CONFIGURED, ids=lambda value: value.__name__)
def test_every_field_is_there_with_its_default(printed: str, value: type) -> None:
    (part,) = re.findall(rf"^{value.__name__}\n(.*?)(?:^\w|\Z)", printed, re.MULTILINE | re.DOTALL)
    shown = dict(re.findall(r"^  (\w+): .* = (.+)$", part, re.MULTILINE))
    assert shown == {field.name: repr(field.default) for field in fields(value)}


def test_the_contract_says_once_what_a_field_without_a_figure_means(printed: str) -> None:
    text = " ".join(printed.split())
    for meaning in base.WITHOUT_FIGURE.values():
        assert text.count(" ".join(meaning.replace("`", "").split())) == 1


@pytest.mark.parametrize("value", (base.ProducerOptions, groups.ConsumerOptions), ids=lambda value: value.__name__)
def test_every_option_names_a_capability_that_it_is_given_with(value: type) -> None:
    for name, meaning in described(value).items():
        named = set(re.findall(r"`([a-z-]+)`", meaning)) & CAPABILITIES
        assert named, name


def test_every_field_that_is_configured_says_what_it_is() -> None:
    silent = [f"{value.__name__}.{name}" for value in CONFIGURED for name, text in described(value).items() if not text]
    assert silent == []


def test_the_page_of_the_repository_says_the_same(printed: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "adapter-values.md").read_text(encoding="utf-8")
    for value in CONFIGURED:
        for meaning in described(value).values():
            assert " ".join(meaning.split()) in page
            assert " ".join(meaning.replace("`", "").split()) in " ".join(printed.split())
