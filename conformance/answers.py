"""Checks an adapter's answers against the contract: an answer without a meaning raises and goes no further.

A figure below zero has a meaning, and rules judge it. A null in the place of a figure, or a text in the place of a word
of the contract, has none.
"""

from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tidegate.adapters.base import Adapter, AdapterError, Standing
from tidegate.adapters.capabilities import GROUPS
from tidegate.record.events import MOST

_AS_IT_IS = ConfigDict(strict=True, revalidate_instances="always")
QUOTED_SIGNS = 200
SEVERAL = (list, tuple)
Shape = Callable[[tuple[object]], object]
"""Raises ValidationError if the answer, alone in a tuple, is none that a verb can have."""


def check_answer(verb: str, answer: object) -> None:
    """AdapterError if the verb of the contract can have no such answer; the rules of its check are then unknown."""
    shape = _shapes().get(verb)
    if shape is None:
        return
    fault = _fault_of_shape(shape, answer) or _fault_of_values(answer) or _fault_of_credit(answer)
    if fault:
        raise AdapterError(f"the adapter answered {verb!r} with {_quoted(answer)}: {fault}")


def _fault_of_shape(shape: Shape, answer: object) -> str:
    try:
        shape((answer,))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"][1:]))
        return f"field {field!r}: {first['msg']}" if field else first["msg"]
    return ""


def _fault_of_values(answer: object, name: str = "") -> str:
    """The reason why a trace cannot hold a value or one of its parts; empty if it can."""
    if answer is None:
        return ""
    if isinstance(answer, int):
        return "" if -MOST <= answer <= MOST else f"{_where(name)}expected a figure of 64 bits"
    if isinstance(answer, str):
        return "" if answer.isascii() or _is_text(answer) else f"{_where(name)}expected text that UTF-8 can say"
    parts = ((name, each) for each in answer) if isinstance(answer, SEVERAL) else _fields_of(answer)
    for part, value in parts:
        if fault := _fault_of_values(value, part):
            return fault
    return ""


def _where(name: str) -> str:
    return f"field {name!r}: " if name else ""


def _fields_of(answer: object) -> Iterable[tuple[str, object]]:
    return vars(answer).items() if is_dataclass(answer) else ()


def _fault_of_credit(answer: object) -> str:
    is_half = isinstance(answer, Standing) and (answer.credit_issued is None) is not (answer.credit_left is None)
    return "expected both figures of credit, or none" if is_half else ""


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def _shapes() -> dict[str, Shape]:
    """For each verb with an answer, the function that validates the answer."""
    methods: dict[str, Callable[..., Any]] = {
        name: method
        for protocol in (Adapter, *dict.fromkeys(GROUPS.values()))
        for name, method in vars(protocol).items()
        if callable(method) and not name.startswith("_")
    }
    answers: dict[str, Any] = {name: get_type_hints(method).get("return") for name, method in methods.items()}
    return {name: _shape(answer) for name, answer in answers.items() if answer is not type(None)}


def _shape(answer: Any) -> Shape:
    # in a tuple, because the type of an answer may be a class that takes no settings
    held: Shape = TypeAdapter(tuple[answer], config=_AS_IT_IS).validator.validate_python
    return held


def _quoted(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= QUOTED_SIGNS else f"{text[:QUOTED_SIGNS]}…"
