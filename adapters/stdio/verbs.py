"""The verbs of the protocol: the verbs of the adapter contract, each with the lines of its request and response.

All of it is derived from the contract, so that a verb or a field that is added there belongs to the protocol.
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
"""A model is built at its first use, and no source file is searched for docstrings of its fields, which have none."""


@dataclass(frozen=True)
class Verb:
    """One verb, with the models of its lines."""

    name: str
    method: Callable[..., Any]
    """The method of the contract."""
    parameters: tuple[str, ...]
    """The names of its arguments, in the order of the contract."""
    capabilities: tuple[str, ...]
    """A program that claims none of these is never sent the verb; empty: every program has the verb."""
    request: type[BaseModel]
    response: type[BaseModel]
    """The response as in the schema."""
    any_response: type[BaseModel]
    """The response, with any further fields ignored."""


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
    # the answer may be left out if the verb returns nothing, or may find nothing
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
"""Every verb by its name, verbs of groups last."""
