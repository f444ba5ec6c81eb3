"""The lines of the protocol that belong to no single verb: the handshake, and an answer that is an error."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tidegate.adapters.base import Identity, Parameters
from tidegate.adapters.capabilities import CAPABILITIES

PROTOCOL_VERSION = 1
"""Within one version, optional verbs and fields may be added, and no meaning changes."""
EXACT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)
"""Lines must match the published schema: no other field, and no text in place of a number."""
TOLERANT = ConfigDict(extra="ignore", strict=True)
"""Unknown fields are ignored."""

Capability = Annotated[str, Field(json_schema_extra={"enum": sorted(CAPABILITIES)})]

Version = Annotated[int, Field(json_schema_extra={"const": PROTOCOL_VERSION})]
"""Another version is parsed too, so that the error can name it."""


@dataclass(frozen=True)
class Handshake:
    """The statement of a program about itself after its start; it holds until the program is stopped."""

    protocol: Version
    """The version of the protocol that the program speaks."""
    identity: Identity
    """The name and version of the implementation."""
    capabilities: frozenset[Capability]
    """The claimed capabilities of the implementation; every rule that needs no other capability is run."""
    parameters: Parameters = field(default_factory=Parameters)
    """Figures about the implementation."""


class Trouble(StrEnum):
    """Why a program gives no answer."""

    UNSUPPORTED = "unsupported"
    """The program has no such verb, or not with these arguments."""
    REFUSED = "refused"
    """The implementation that the program drives refused, and the protocol has no other answer for that."""
    FAILED = "failed"
    """The program itself failed."""


@dataclass(frozen=True)
class ProgramError:
    """An error in place of an answer: what the implementation would have done is unknown."""

    kind: Trouble
    """The kind of error."""
    message: str
    """One sentence for the report."""


class ErrorResponse(BaseModel):
    """The response to any request that cannot be answered."""

    model_config = EXACT

    id: int
    error: ProgramError
    answer: None = None


class AnyErrorResponse(ErrorResponse):
    """An error response that may have further fields."""

    model_config = TOLERANT
