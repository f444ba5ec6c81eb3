"""Who a trace is about: the implementation and its capabilities, as the header says."""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from headgate.pipeline.ingest.opening import is_packed, unpacked
from headgate.record.errors import BadInput


@dataclass(frozen=True)
class Identity:
    """An implementation as it named itself, and what it is able to show."""

    name: str
    version: str
    capabilities: frozenset[str]


IDENTITY = TypeAdapter(Identity)


def identity_of(trace: Path) -> Identity:
    """The implementation in the header of a trace. BadInput where it is missing or malformed."""
    with unpacked(trace, is_packed(trace)) as lines:
        header = lines.readline()
    try:
        said = json.dumps(json.loads(header)["implementation"])
        # JSON has no sets: JSON mode turns its arrays into them, and nothing else
        return IDENTITY.validate_json(said, strict=True, extra="forbid")
    except (json.JSONDecodeError, TypeError, KeyError) as error:
        expected = "expected a header with the implementation that the trace is about"
        raise BadInput(expected, file=trace, line=1, field="implementation") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in ("implementation", *first["loc"]))
        raise BadInput(f"{first['msg']}, got {first['input']!r}", file=trace, line=1, field=field) from error
