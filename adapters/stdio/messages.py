"""The lines of the protocol that belong to no single verb: the handshake, and an answer that is an error."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tidegate.adapters.base import Identity, Parameters
from tidegate.adapters.capabilities import CAPABILITIES

PROTOCOL_VERSION = 1
"""Verbs and fields may be added within one version, each of them optional; none changes its meaning."""
EXACT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)
"""As the published schema says: nothing else, and no text where a number belongs."""
TOLERANT = ConfigDict(extra="ignore", strict=True)
"""Fields that nobody knows are passed over."""

Capability = Annotated[str, Field(json_schema_extra={"enum": sorted(CAPABILITIES)})]

Version = Annotated[int, Field(json_schema_extra={"const": PROTOCOL_VERSION})]
"""Any other is read too, so that it can be named."""


@dataclass(frozen=True)
class Handshake:
    """What a program says of itself when it has started; it holds until it is stopped."""

    protocol: Version
    """The version of the protocol that the program speaks."""
    identity: Identity
    """Which implementation this is."""
    capabilities: frozenset[Capability]
    """What the implementation claims; every rule that needs no other capability is run."""
    parameters: Parameters = field(default_factory=Parameters)
    """Figures about the implementation."""


class Trouble(StrEnum):
    """Why a program gives no answer."""

    UNSUPPORTED = "unsupported"
    """The program has no such verb, or not with these arguments."""
    REFUSED = "refused"
    """The implementation that it drives said no, where the protocol has no word for that."""
    FAILED = "failed"
    """The program itself could not do it."""


@dataclass(frozen=True)
class ProgramError:
    """An answer that is none: what the implementation would have done is unknown."""

    kind: Trouble
    """Which kind of trouble this is."""
    message: str
    """One sentence for the report."""


class ErrorResponse(BaseModel):
    """The response to any request that cannot be answered."""

    model_config = EXACT

    id: int
    error: ProgramError
    answer: None = None


class AnyErrorResponse(ErrorResponse):
    """The same, whatever else the line has."""

    model_config = TOLERANT
