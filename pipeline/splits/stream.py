"""A stream while it is judged: its splits in order, what is known of each, and what it goes on from."""

from dataclasses import dataclass, field

import polars as pl

from tidegate.model.language.rule import Definition
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.splits.order import ends_of, going_on, require_order
from tidegate.pipeline.splits.plan import SOURCE, Plan, RuleNames
from tidegate.pipeline.splits.summary import Carried
from tidegate.pipeline.splits.tables import States
from tidegate.pipeline.splits.work import Seen


@dataclass(eq=False)
class Stream:
    """`seen` is what is known of each file so far; `keep` says that another run will go on from the end."""

    name: str
    files: tuple[EventsFile, ...]
    rules: tuple[Definition, ...]
    names: RuleNames
    plan: Plan
    before: Carried | None
    keep: bool
    seen: list[Seen | None] = field(default_factory=list)

    @property
    def events(self) -> int:
        """The number of its events."""
        return sum(file.events for file in self.files)

    @property
    def is_cut(self) -> bool:
        """Whether it consists of more than one split, so that something may have to be carried between them."""
        return len(self.files) > 1

    @property
    def states(self) -> States:
        """The states with which it begins."""
        return {} if self.before is None else self.before.states

    @property
    def sources(self) -> list[pl.DataFrame]:
        """What is in each file, once all were looked at."""
        return [each.sources for each in self.seen if each is not None]

    def require_order(self) -> None:
        """Raises OrderNotProved."""
        before = self.before
        require_order(
            self.files, self.sources, before.ordinal if before else 0, None if before is None else before.ends
        )

    def going_on(self) -> frozenset[str] | None:
        """The sources whose states are carried; None is all, because another run may go on with any of them."""
        return (
            None if self.keep else frozenset(going_on(self.sources, None if self.before is None else self.before.ends))
        )

    def going_on_after(self) -> tuple[frozenset[str] | None, ...]:
        """For each file the sources that come again after it, whose states are kept; None is all."""
        if self.keep:
            return (None,) * len(self.files)
        later: frozenset[str] = frozenset()
        found = []
        for number in reversed(range(len(self.files))):
            found.append(later)
            # a stream that is not cut needs no look ahead
            later |= frozenset(self.sources[number][SOURCE]) if self.is_cut else frozenset()
        return tuple(reversed(found))

    def end(self, states: States) -> Carried:
        """What a later run goes on from, given the states at the end."""
        before = None if self.before is None else self.before.ends
        return Carried(self.plan.fingerprint, self.files[-1].ordinal, ends_of(self.sources, before), states)
