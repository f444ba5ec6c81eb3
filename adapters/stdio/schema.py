"""The published schema of the protocol: `python -m tidegate.adapters.stdio.schema > protocol.schema.json`."""

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tidegate.adapters.stdio.messages import PROTOCOL_VERSION, ErrorResponse
from tidegate.adapters.stdio.verbs import VERBS

FILE = "protocol.schema.json"
ABOUT = (
    "One line of the protocol, in either direction. A request is the `Request` named after its verb, and its response "
    "is the `Response` of the same name, or `ErrorResponse`. A field that is left out has its default."
)


def schema() -> dict[str, Any]:
    """The JSON Schema of every line; `$defs` has each under the name of its verb."""
    lines: list[type[BaseModel]] = [
        *(line for verb in VERBS.values() for line in (verb.request, verb.response)),
        ErrorResponse,
    ]
    references, definitions = models_json_schema([(line, "validation") for line in lines])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"tidegate stdio protocol, version {PROTOCOL_VERSION}",
        "description": ABOUT,
        "anyOf": [references[line, "validation"] for line in lines],
        **definitions,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))  # noqa: T201
