"""Serves an adapter of tidegate over the protocol: `python reference.py MODULE:CLASS [FILE MESSAGE]`.

Its lines are made here, by the page of the protocol, and not by the package's own encoder. With FILE it ends at the
first message that it is to acknowledge and whose id begins with the pattern MESSAGE, once: it leaves that file.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

from tidegate.adapters.base import Adapter, AdapterError


def handshake(adapter: Adapter) -> dict[str, Any]:
    return {
        "protocol": 1,
        "identity": asdict(adapter.identity),
        "capabilities": sorted(adapter.capabilities),
        "parameters": asdict(adapter.parameters),
    }


def called(verb: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    types = get_type_hints(verb)
    for name, value in arguments.items():
        if is_dataclass(types[name]):
            arguments[name] = types[name](**value)
        elif isinstance(value, dict):
            _, of_each = get_args(types[name])
            arguments[name] = {key: of_each(**each) for key, each in value.items()}
        elif isinstance(value, list):
            arguments[name] = tuple(value)
    return verb(**arguments)


def said(answer: Any) -> Any:
    if isinstance(answer, list | tuple):
        return [said(each) for each in answer]
    return asdict(answer) if is_dataclass(answer) and not isinstance(answer, type) else answer


def serve(adapter: Adapter, crashed: Path | None = None, fatal: str = "") -> None:
    for line in sys.stdin:
        request = json.loads(line)
        number, verb = request.pop("id"), request.pop("verb")
        its_turn = verb == "acknowledge" and re.match(fatal, request["message_id"])
        if crashed is not None and its_turn and not crashed.exists():
            crashed.touch()
            sys.exit("out of memory")
        request.pop("protocol", None)
        response: dict[str, Any]
        try:
            if not hasattr(adapter, verb):
                raise AdapterError(f"there is no {verb}")
            answer = called(getattr(adapter, verb), request)
            response = {"id": number, "answer": handshake(adapter) if verb == "start" else said(answer)}
        except AdapterError as error:
            response = {"id": number, "error": {"kind": "refused", "message": str(error)}}
        sys.stdout.write(json.dumps(response) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    module, _, name = sys.argv[1].partition(":")
    crashed = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    serve(getattr(import_module(module), name)(), crashed, *sys.argv[3:])
