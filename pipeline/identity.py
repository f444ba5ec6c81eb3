"""Who a trace is about: the implementation and its capabilities, as the header says."""

import json
from dataclasses import dataclass

from tidegate.pipeline.read.opening import Damaged, is_packed, lines_of, unpacked
from tidegate.pipeline.storage import Place
from tidegate.record.errors import BadInput
from tidegate.record.values import BadValue, read_value


@dataclass(frozen=True)
class Identity:
    """An implementation as it named itself, and what it is able to show."""

    name: str
    version: str
    capabilities: frozenset[str]


def identity_of(trace: Place) -> Identity:
    """The implementation in the header of a trace. BadInput where it is missing or malformed."""
    try:
        with unpacked(trace, is_packed(trace)) as file:
            header = next(lines_of(file), b"")
        return read_value(Identity, json.dumps(json.loads(header)["implementation"]).encode())
    except BadValue as error:
        field = f"implementation.{error.field}" if error.field else "implementation"
        raise BadInput(error.fault, file=str(trace), line=1, field=field) from error
    except (Damaged, ValueError, TypeError, KeyError, RecursionError) as error:
        expected = "expected a header with the implementation that the trace is about"
        raise BadInput(expected, file=str(trace), line=1, field="implementation") from error
