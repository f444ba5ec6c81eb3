"""What the chapters say, as frozen values: a rule, where documents state it, and what kind of rule it is."""

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
    """On which side of a threshold something holds."""
    DEFAULT = "default"
    """What is in force where nothing is configured."""
    REACTION = "reaction"
    """What is done once something happens."""
    EXEMPTION = "exemption"
    """What is left alone."""
    BOUND = "bound"
    """How far something can go at most."""
    UNIT = "unit"
    """In what something is counted."""
    MESSAGE = "message"
    """The wording of a log line."""
    TIMING = "timing"
    """After how long something happens."""
    ERROR = "error"
    """What a call that fails raises."""
    PERMISSION = "permission"
    """What is allowed, but not required."""


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

    `sentence` is the MUST, SHOULD or MAY sentence, `body` the Markdown that follows the yaml block. `needs`
    are the capabilities without which the rule cannot be observed. `speaks_of` are the conditions that the sentence
    itself names, so that the rule is not tried under their other values. `since` maps broker or client to the
    version from which the documents promise it. `defined_by` is `module:name` of the definition, None where there
    is none, and `steps` are the further functions that belong to the rule and to no other. `waives` maps a form that
    the rule would owe to the reason why it does not. `chapter` is the path below the spec folder and `line` the line of
    the heading there, counted from 1.
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
