"""The figures are drawn from the model: literal thresholds of the documents, and others under other rules."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.figures.shelf import BY_CHAPTER, BY_IMPLEMENTATION, FIGURES, as_built, of_chapter

from tidegate.catalogue.shelf import chapters, spec_folder
from tidegate.conformance.mutants.changes import Kind, mutants_of
from tidegate.conformance.mutants.in_place import code_of
from tidegate.model.built.profiles import PROFILES, profile_named
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.language.rule import definition_of, keep_definition
from tidegate.model.mechanisms import (
    andes,
    artemis,
    artemis_producer,
    classic,
    classic_usage,
    credit,
    gate,
    rate,
    wait,
)

DRAWN: dict[str, tuple[str, ...]] = {
    "gate-states": ("at 1,001 bytes or more", "at 799 bytes or fewer"),
    "gate-loop": ("1,001", "799"),
    "qpid-queue": ("1,001", "799"),
    "qpid-queue-unset": ("1,001", "999"),
    "qpid-disk": ("1,001", "799"),
    "qpid-client": ("fails at 60,000",),
    "qpid942-policy": ("1,001", "1,000"),
    "qpid942-sends": ("fails at once", "is stored at 4,000"),
    "artemis-block": ("1,000", "999"),
    "amqp-credit": ("100", "30"),
    "core-credit": ("300", "100"),
    "consumer-window": ("1,000",),
    "rate": ("10", "20", "30", "at 1,000 ms"),
    "classic-memory": ("1,000", "999"),
    "classic-sends": ("is stored at 4,000", "fails at 3,000", "fails at once"),
    "producer-window": ("1,000",),
    "classic-store": ("1,000", "999"),
    "andes-memory": ("61", "49", "39 % free: blocks all", "51 % free: releases all"),
    "andes-count": ("11", "10"),
    "andes-client": ("fails at 120,000",),
}
"""What stands in each drawing, by the words of the documents."""
READS: dict[str, tuple[Callable[..., Any], ...]] = {
    "gate-states": (gate.past_high, gate.below_low),
    "gate-loop": (gate.past_high, gate.below_low),
    "qpid-queue": (gate.past_high, gate.below_low),
    "qpid-queue-unset": (gate.past_high, gate.below_low),
    "qpid-disk": (gate.past_high, gate.below_low),
    "qpid-client": (wait.expired, wait.notice_due),
    "qpid942-policy": (gate.past_high,),
    "qpid942-sends": (wait.expired,),
    "artemis-block": (artemis.full,),
    "amqp-credit": (credit.at_low_mark, artemis.full, artemis.may_send),
    "core-credit": (artemis_producer.may_send,),
    "consumer-window": (gate.past_high,),
    "rate": (rate.may_pass, rate.counts),
    "classic-memory": (classic.full,),
    "classic-sends": (wait.expired,),
    "producer-window": (classic.may_transmit,),
    "classic-store": (classic_usage.exhausted,),
    "andes-memory": (gate.past_high, gate.below_low),
    "andes-count": (gate.past_high,),
    "andes-client": (wait.expired, wait.notice_due),
}
"""The rules whose thresholds each drawing shows."""


def words(name: str, model: Linker = DOCUMENTED) -> list[str]:
    """The texts of a drawing."""
    return [text.text or "" for text in drawing(name, model).iter("text")]


def drawing(name: str, model: Linker = DOCUMENTED) -> ElementTree.Element:
    return ElementTree.fromstring(FIGURES[name](model).svg)


def with_another_edge(rule: Callable[..., Any]) -> Iterator[Linker]:
    """The model in which each threshold of a rule is on the other side of its edge."""
    original = definition_of(rule)
    assert original is not None
    for mutant in mutants_of(original):
        if mutant.kind is Kind.THRESHOLD and ("<" in mutant.now or ">" in mutant.now):
            instead = FunctionType(code_of(original, mutant.changed.body), original.function.__globals__)
            keep_definition(replace(mutant.changed, function=instead))
            yield Linker({rule: instead})


def test_every_figure_has_its_literal_thresholds_and_the_rules_that_it_reads() -> None:
    assert set(DRAWN) == set(READS) == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_the_thresholds_of_the_documents(name: str) -> None:
    assert [words_missing for words_missing in DRAWN[name] if words_missing not in words(name)] == []


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, rules in READS.items() for rule in rules])
def test_a_figure_changes_with_a_threshold_of_the_model(name: str, rule: Callable[..., Any]) -> None:
    others = [FIGURES[name](model) for model in with_another_edge(rule)]
    assert others
    assert any(other.svg != FIGURES[name](DOCUMENTED).svg for other in others)


def test_a_figure_under_another_edge_shows_that_edge() -> None:
    (from_the_high,) = with_another_edge(gate.past_high)
    assert {"1,000", "799"} <= set(words("qpid-queue", from_the_high))
    (from_the_low,) = with_another_edge(gate.below_low)
    assert {"1,001", "800"} <= set(words("qpid-queue", from_the_low))


@pytest.mark.parametrize(
    ("name", "default", "value", "words_then"),
    [
        ("amqp-credit", (artemis, "DEFAULT_WINDOW"), credit.Window(size=120, low=40), {"120", "40"}),
        ("andes-memory", (andes, "DEFAULT_LIMITS"), andes.Limits(20, 35, andes.NO_LIMIT), {"81", "64"}),
        ("andes-client", (andes, "DEFAULT_WAIT"), wait.Wait(timeout_ms=7000, notify_ms=500), {"fails at 7,000"}),
    ],
)
def test_a_figure_changes_with_a_default(name: str, default: Any, value: object, words_then: set[str]) -> None:
    assert words_then <= set(words(name, Linker({}, {default: value})))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_a_name_a_description_and_a_table(name: str) -> None:
    drawn = drawing(name)
    title, describes = drawn.find("title"), drawn.find("desc")
    assert title is not None and describes is not None
    assert (drawn.get("role"), drawn.get("aria-labelledby")) == ("img", f"{title.get('id')} {describes.get('id')}")
    html = FIGURES[name](DOCUMENTED).html
    assert html.count("<tr>") == len(FIGURES[name](DOCUMENTED).rows) + 1 >= 2
    assert "\n\n" not in html, "an empty line ends a block of HTML in Markdown"


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_drawn_is_within_the_drawing(name: str) -> None:
    drawn = drawing(name)
    _, _, width, height = map(float, (drawn.get("viewBox") or "").split())
    for text in drawn.iter("text"):
        # more than most letters of the page take
        wide = 6.2 * len(text.text or "")
        x, y = float(text.get("x") or 0), float(text.get("y") or 0)
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor") or "start"]
        assert left >= -4 and left + wide <= width + 8, text.text
        assert 8 <= y <= height, text.text


def test_chapters_show_their_figures() -> None:
    assert set(BY_CHAPTER) <= set(chapters(spec_folder()))
    assert {name for names in BY_CHAPTER.values() for name in names} == set(FIGURES)
    assert of_chapter("qpid/queue.md").count("<svg") == 2
    assert of_chapter("glossary.md") == ""


def test_a_released_version_shows_what_it_changes() -> None:
    assert {name for names in BY_IMPLEMENTATION.values() for name in names} <= set(FIGURES)
    (documented, built), *_ = as_built(profile_named("qpid-10.1.0"))
    assert "is released at 799 bytes" in documented and "is released at 800 bytes" in built
    ((documented, built),) = as_built(profile_named("artemis-2.44.0"))
    assert "is issued 100 credits" in documented and "is issued 1,000 credits" in built
    shown = {name: len(list(as_built(profile))) for name, profile in PROFILES.items()}
    assert (shown["qpid-0.18"], shown["qpid-10.1.0"], shown["artemis-2.44.0"], shown["classic-5.3.1"]) == (3, 3, 1, 0)
