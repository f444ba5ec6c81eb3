"""The form of a vector: figures for a rule at a boundary, what the rule says of them, and how to get a broker there.

Files of vectors are JSON of this form and readable from any language; `vectors.schema.json` is their schema.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Levels(_Strict):
    """What is configured for a destination, in bytes or credits; what is left out is not configured."""

    limit_bytes: int | None = None
    resume_bytes: int | None = None
    policy: str | None = None
    reject_bytes: int | None = None
    credit: int | None = None
    credit_low: int | None = None
    cursor: str | None = None


class DeclareDefaults(_Strict):
    """Configure limits for every destination that is declared afterwards and sets none of its own."""

    do: Literal["declare_defaults"] = "declare_defaults"
    limits: Levels


class Declare(_Strict):
    """Create a destination with these limits."""

    do: Literal["declare"] = "declare"
    destination: str
    limits: Levels


class OpenProducer(_Strict):
    """Attach a producer, on a connection of its own."""

    do: Literal["open_producer"] = "open_producer"
    producer: str
    destination: str


class Send(_Strict):
    """Send so many messages of so many bytes each; every one must have this outcome, `answered` is either of two."""

    do: Literal["send"] = "send"
    producer: str
    messages: PositiveInt
    bytes: PositiveInt
    outcome: Literal["accepted", "rejected", "unsettled", "answered"] = "accepted"


class Consume(_Strict):
    """Acknowledge so many messages, those accepted first; what is handed out before its turn is kept in hand."""

    do: Literal["consume"] = "consume"
    destination: str
    messages: PositiveInt


class ExpectStanding(_Strict):
    """The producer comes to be stopped, or free to send, and stays so."""

    do: Literal["expect_standing"] = "expect_standing"
    producer: str
    stopped: bool


class ExpectCredit(_Strict):
    """The producer comes to have so many credits left, and keeps as many."""

    do: Literal["expect_credit"] = "expect_credit"
    producer: str
    left: int


Step = Annotated[
    DeclareDefaults | Declare | OpenProducer | Send | Consume | ExpectStanding | ExpectCredit,
    Field(discriminator="do"),
]


class Vector(_Strict):
    """One case at a boundary."""

    id: str
    """Stable across versions as long as the rule's comparisons keep their order."""
    rules: tuple[str, ...]
    """The ids of the rules of the spec that the case belongs to; empty for a primitive's own case."""
    function: str
    """The rule's definition, as `module:function`."""
    boundary: str
    """The comparison that decides the case."""
    distance: Literal[-1, 0, 1]
    """The left side less the right side: below the boundary, at it, or above it."""
    given: dict[str, Any]
    """The arguments: figures, truth values, and objects of them by field."""
    expect: Any
    """The rule's answer."""
    needs: tuple[str, ...] = ()
    """The capabilities that the script needs."""
    script: tuple[Step, ...] = ()
    """The calls that bring an implementation to the boundary, and what it must show; empty if none lead there."""
    presupposed: int | None = None
    """The number of steps that only prepare the case: if one of them fails, the case says nothing of its rules."""

    def only_leads_there(self, number: int) -> bool:
        """Whether the step with this number, from 0, only prepares the case."""
        return self.presupposed is not None and number < self.presupposed


class VectorFile(_Strict):
    """The vectors of one module of the model."""

    schema_version: Literal[1] = 1
    module: str
    vectors: tuple[Vector, ...]
