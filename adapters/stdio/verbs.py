"""The verbs of the protocol: those of the adapter contract, with the lines in which they are asked and answered.

Everything here is read off the contract itself, so that a verb or a field that is added there is spoken here.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from tidegate.adapters.base import Adapter
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.stdio.messages import EXACT, PROTOCOL_VERSION, TOLERANT, Handshake

START = "start"
STOP = "stop"
NO_ERROR = (None, None)
"""A response may name its error as null."""

NOT_YET = ConfigDict(defer_build=True, use_attribute_docstrings=False)
"""A line is built when it is first used, and no file is searched for docstrings of fields that stand in none."""


@dataclass(frozen=True)
class Verb:
    """One verb, as its lines are written and read."""

    name: str
    method: Callable[..., Any]
    """The method of the contract."""
    parameters: tuple[str, ...]
    """The names of its arguments, in the order of the contract."""
    capabilities: tuple[str, ...]
    """A program that claims none of these is never sent the verb; empty is a verb of every program."""
    request: type[BaseModel]
    response: type[BaseModel]
    """The response as the schema has it."""
    any_response: type[BaseModel]
    """The response, read whatever further fields the line has."""


def _all() -> Iterator[Verb]:
    for name, method in _methods(Adapter):
        yield _verb(name, method, ())
    for group in dict.fromkeys(GROUPS.values()):
        capabilities = tuple(capability for capability, its in GROUPS.items() if its is group)
        for name, method in _methods(group):
            yield _verb(name, method, capabilities)


def _methods(protocol: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, method in vars(protocol).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            yield name, method


def _verb(name: str, method: Callable[..., Any], capabilities: tuple[str, ...]) -> Verb:
    hints = get_type_hints(method)
    answer = Handshake if name == START else hints["return"]
    arguments = {
        parameter: (hints[parameter], ... if its.default is its.empty else its.default)
        for parameter, its in inspect.signature(method).parameters.items()
        if parameter != "self"
    }
    if name == START:
        arguments["protocol"] = (Literal[PROTOCOL_VERSION], ...)
    # a verb that has nothing to say, or may find nothing, need not say so
    nothing = NoneType in {answer, *get_args(answer)}
    answered = (answer, None if nothing else ...)
    title = "".join(word.capitalize() for word in name.split("_"))
    about = inspect.getdoc(method) or ""
    needs = f"\n\nNeeds the capability {' or '.join(capabilities)}." if capabilities else ""

    def line(kind: str, config: ConfigDict, about: str, **fields: Any) -> type[BaseModel]:
        model: type[BaseModel] = create_model(
            f"{title}{kind}", __config__={**config, **NOT_YET}, __doc__=about, id=(int, ...), **fields
        )
        model.model_config.update(config)
        return model

    reply = f"The response to `{name}` that answers it."
    return Verb(
        name=name,
        method=method,
        parameters=tuple(arguments),
        capabilities=capabilities,
        request=line("Request", EXACT, about + needs, verb=(Literal[name], ...), **arguments),
        response=line("Response", EXACT, reply, answer=answered, error=NO_ERROR),
        any_response=line("Response", TOLERANT, reply, answer=answered, error=NO_ERROR),
    )


VERBS: Mapping[str, Verb] = {verb.name: verb for verb in _all()}
"""Every verb by its name, those of the groups last."""
