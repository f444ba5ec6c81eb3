"""The formulas of the documentation say what the plain functions say.

The text of each formula is read back as Python and compared with the function on random values, so that a
wrong bracket or a wrong sign shows.
"""

import builtins
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidegate.catalogue.formula import formula
from tidegate.catalogue.notation import Term, term
from tidegate.model.language.rule import Definition, definitions
from tidegate.model.mechanisms import artemis, credit, gate, qpid
from tidegate.record.errors import BadInput

PYTHON = {"∧": "and", "∨": "or", "¬": "not", "≠": "!=", "≤": "<=", "≥": ">=", "−": "-", "×": "*"}
QUANTIFIER = re.compile(r"([∀∃]) (\w+) ∈ (.+?) \(")
KEYS = ("first", "second")
MODULES = (artemis.__name__, credit.__name__, gate.__name__, qpid.__name__)
RULES = tuple(found for found in definitions() if found.function.__module__ in MODULES)
Values = Mapping[str, Any]


def python_of(text: str) -> str:
    """A formula as a Python expression."""
    text = QUANTIFIER.sub(lambda found: f"{QUANTIFIERS[found[1]]}({found[3]}, lambda {found[2]}: ", text)
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", text)
    text = "".join(PYTHON.get(character, character) for character in text)
    return text.replace("true", "True").replace("false", "False")


def every(table: Mapping[str, Any], claim: Callable[[str], bool]) -> bool:
    return all(claim(key) for key in table)


def some(table: Mapping[str, Any], claim: Callable[[str], bool]) -> bool:
    return any(claim(key) for key in table)


formula_of = cache(formula)
QUANTIFIERS = {"∀": "every", "∃": "some"}
HELPERS: Values = {"every": every, "some": some, "__builtins__": builtins}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Random values of a parameter's type; keys of tables and names come from the same few."""
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return st.builds(hint, **{part.name: values_of(hints[part.name]) for part in fields(hint)})
    if isinstance(get_origin(hint), type) and issubclass(get_origin(hint), Mapping):
        return st.fixed_dictionaries({key: values_of(get_args(hint)[1]) for key in KEYS})
    if hint is bool:
        return st.booleans()
    return st.integers(-2, 4) if hint is int else st.sampled_from(KEYS)


def names_in_scope(arguments: Values) -> dict[str, Any]:
    """What the names of a formula stand for: parameters, and the fields of those that are dataclasses."""
    scope = dict(arguments)
    for value in arguments.values():
        if is_dataclass(value):
            scope = {part.name: getattr(value, part.name) for part in fields(value)} | scope
    return scope


def answer_at(answer: Any, path: str, keys: Values) -> Any:
    """The part of a rule's answer that a line of its formula is about."""
    return eval(f"answer.{path}" if path else "answer", dict(HELPERS), {"answer": answer, **keys})


@pytest.mark.parametrize("definition", RULES, ids=lambda definition: definition.qualified_name)
@settings(deadline=None)  # the time that drawing takes says nothing about a formula
@given(data=st.data())
def test_a_formula_agrees_with_its_function(definition: Definition, data: st.DataObject) -> None:
    hints = get_type_hints(definition.function)
    hints.pop("return")
    arguments = {name: data.draw(values_of(hint), name) for name, hint in hints.items()}
    answer = definition.function(**arguments)
    for line in formula_of(definition.qualified_name):
        keys = {name: data.draw(st.sampled_from(KEYS), name) for name in re.findall(r"\[(\w+)\]", line.target)}
        scope = {**HELPERS, **names_in_scope(arguments), **keys}
        target = line.target if line.target != definition.function.__name__ else ""
        assert eval(python_of(line.formula), scope) == answer_at(answer, target, keys)


def test_every_module_of_the_model_is_held_against_its_formulas() -> None:
    assert {found.function.__module__ for found in RULES} == set(MODULES)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tidegate.model.mechanisms.qpid:overfull", ["capacity ≠ 0 ∧ bytes > capacity"]),
        ("tidegate.model.mechanisms.qpid:underfull", ["capacity = 0 ∨ bytes < resume"]),
        ("tidegate.model.mechanisms.gate:settled", ["level ≥ low if closed else level > high"]),
        ("tidegate.model.mechanisms.credit:refill", ["size − left if left ≤ low else 0"]),
        ("tidegate.model.mechanisms.artemis:DEFAULT_WINDOW", ["size ← 100", "low ← 30"]),
        ("tidegate.model.mechanisms.qpid_log:QUEUE_OVERFULL", []),
    ],
)
def test_a_formula_reads_like_one(name: str, expected: list[str]) -> None:
    assert [str(line) for line in formula(name)] == expected


LONG = "tidegate.model.traces.general_release:consumption_releases"


def test_a_long_formula_names_the_rules_that_it_calls_and_writes_each_out_once() -> None:
    judged, claim, *named = formula(LONG)
    assert str(judged).startswith("given rests_with_room ∧ last_consumed > last_filled ∧ ")
    assert str(claim) == 'outcome ≠ "stopped"'
    assert len({line.target for line in named}) == len(named)
    used = " ".join(line.formula for line in (judged, *named))
    assert [line.target for line in named if not re.search(rf"\b{line.target}\b", used)] == []


def test_a_long_formula_means_the_same_with_its_names_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "tidegate.model.traces.general_faults:accepted_outlives_a_restart"
    _judged, claim, *named = formula(name)
    text = claim.formula
    for line in named:
        text = re.sub(rf"\b{line.target}\b", f"({line.formula})", text)
    monkeypatch.setattr("tidegate.catalogue.formula.LONGEST", len(text))
    _judged, whole = formula(name)
    assert re.sub(r"[() ]", "", text) == re.sub(r"[() ]", "", whole.formula)


def test_a_rule_without_a_condition_has_its_name_in_front() -> None:
    (line,) = formula("tidegate.model.mechanisms.general_address:full_disk_stops")
    assert str(line) == "full_disk_stops ← true"


def test_a_trace_rule_shows_what_it_judges() -> None:
    judged, *_ = formula("tidegate.model.traces.artemis_trace:no_credit_is_issued_while_full")
    assert str(judged) == 'given kind = "credit"'


def test_what_does_not_change_is_not_shown() -> None:
    targets = [line.target for line in formula("tidegate.model.mechanisms.qpid:after_send")]
    assert targets == ["queues[queue].bytes", "holds[channel][queue]"]


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (Term("a") - (Term("b") - Term("c")), "a − (b − c)"),
        (Term("a") - Term("b") - Term("c"), "a − b − c"),
        (Term("a") * (Term("b") + 1), "a × (b + 1)"),
        (Term("a") + -Term("b"), "a − b"),
        (-(Term("a") + Term("b")), "−(a + b)"),
        (1 - Term("a"), "1 − a"),
        (term(-1), "−1"),
    ],
)
def test_brackets_stand_where_they_are_needed(built: Term, expected: str) -> None:
    assert built.text == expected


def test_a_formula_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(Term("a") == Term("b"))


@pytest.mark.parametrize("name", ["tidegate.model.mechanisms.qpid:nothing", "tidegate.model.nowhere:overfull"])
def test_an_unknown_definition_is_bad_input(name: str) -> None:
    with pytest.raises(BadInput, match="expected a definition as module:name"):
        formula(name)
