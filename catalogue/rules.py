"""The content of the chapters, as frozen values: a rule, the sources that state it, and its category."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How strong a rule is: MUST if a document says so, MAY if one permits it, SHOULD for what is our own."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Category(StrEnum):
    """What kind of statement a rule makes; it decides which forms the rule owes."""

    BOUNDARY = "boundary"
    """The side of a threshold on which something holds."""
    DEFAULT = "default"
    """The value in force where nothing is configured."""
    REACTION = "reaction"
    """The reaction to an event."""
    EXEMPTION = "exemption"
    """An exemption from a rule."""
    BOUND = "bound"
    """The most that a figure can reach."""
    UNIT = "unit"
    """The unit in which something is counted."""
    MESSAGE = "message"
    """The wording of a log line."""
    TIMING = "timing"
    """The time after which something happens."""
    ERROR = "error"
    """The error of a call that fails."""
    PERMISSION = "permission"
    """An allowed behaviour that is not required."""


class Form(StrEnum):
    """A form in which a rule can stand."""

    DEFINITION = "definition"
    """A function of the model, a value or a template."""
    PROOF = "proof"
    """A theorem for all sizes and numbers."""
    SCENARIO = "scenario"
    """Gherkin with literal numbers."""
    THREE_POINTS = "three-points"
    """Examples at, below and above the boundary."""
    VECTORS = "vectors"
    """Boundary values as JSON."""
    STATEFUL = "stateful"
    """A generated test over sequences of actions."""
    TRACE = "trace"
    """A check over recorded events."""
    LOG = "log"
    """A check over the broker's own log."""


@dataclass(frozen=True)
class Source:
    """A place that states a rule: the id of a document and the title of a section in it."""

    document: str
    section: str


@dataclass(frozen=True)
class Rule:
    """One section of a chapter.

    `sentence` is the MUST, SHOULD or MAY sentence, `body` the Markdown after the yaml block. `needs`
    are the capabilities without which the rule cannot be observed. `speaks_of` are the conditions that the sentence
    itself names, so that the rule is not tried under their other values. `since` maps broker or client to the
    version from which the documents promise it. `defined_by` is `module:name` of the definition, None where there is
    none, and `steps` are further functions that belong to this rule only. `waives` maps a form that the category owes
    to the reason why the rule does without it. `chapter` is the path below the spec folder and `line` the line of the
    heading there, counted from 1.
    """

    id: str
    title: str
    level: Level
    sentence: str
    category: Category
    needs: tuple[str, ...]
    since: Mapping[str, str]
    sources: tuple[Source, ...]
    defined_by: str | None
    waives: Mapping[Form, str]
    body: str
    chapter: str
    line: int
    speaks_of: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()

    def owns(self, name: str) -> bool:
        """Whether a function or value of the model, `module:name`, is the definition of this rule or a step of it."""
        return name == self.defined_by or name in self.steps
