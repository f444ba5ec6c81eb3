"""Makes scripts that repeat a check on a program with plain Python: the request lines, and the expected answers."""

import json
from collections.abc import Sequence
from typing import Any

from tidegate.adapters.base import Call
from tidegate.adapters.stdio.messages import PROTOCOL_VERSION
from tidegate.adapters.stdio.verbs import START, STOP, VERBS
from tidegate.record.report import Recording, ScriptTemplate


def script_template(command: Sequence[str], patience_ms: int) -> ScriptTemplate:
    """The template and values of all scripts; a script repeats a look for `patience_ms` until it is as expected."""
    start = VERBS[START].request(id=1, verb=START, protocol=PROTOCOL_VERSION).model_dump_json()
    values = {"command": list(command), "patience_ms": patience_ms, "start": start}
    return ScriptTemplate("tidegate.adapters.stdio", values)


def recording(calls: Sequence[Call]) -> Recording:
    """The recording of one check."""
    stop = VERBS[STOP].request(id=len(calls) + 2, verb=STOP)
    exchanges = [[_request(call, number), _answer(call)] for number, call in enumerate(calls, start=2)]
    return Recording(values={"exchanges": exchanges, "stop": stop.model_dump_json()})


def _request(call: Call, number: int) -> str:
    verb = VERBS[call.verb]
    arguments: dict[str, Any] = dict(zip(verb.parameters, call.arguments, strict=False))
    return verb.request(id=number, verb=call.verb, **arguments).model_dump_json(exclude_defaults=True)


def _answer(call: Call) -> str:
    response = VERBS[call.verb].response.model_validate({"id": 0, "answer": call.answer})
    return json.dumps(response.model_dump(mode="json")["answer"])
