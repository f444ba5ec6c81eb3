"""The part of the suite to which a run is limited."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from tidegate.conformance.subset import Subset
from tidegate.record.report import CheckKind


@dataclass(frozen=True)
class Selection:
    """The part of the suite to which a run is limited; an empty field means no limit."""

    rules: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    kinds: tuple[CheckKind, ...] = ()
    subset: Subset | None = None
    faults: int | None = None
    """The most checks on each implementation that kill, pause or cut something; 0 for none.

    None for the usual number, which is all of them on a virtual clock.
    """
    minutes: int | None = None
    """The minutes for checks under conditions on each implementation; checks that did not begin by then are not tried.

    None for the usual time on a real clock, and for no limit if checks are named. A virtual clock has no limit.
    """

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        """Whether the selection takes this check of these rules."""
        by_name = not self.checks or check in self.checks
        by_kind = not self.kinds or kind in self.kinds
        return (
            self._has_one_of(rules)
            and by_name
            and by_kind
            and (self.subset is None or self.subset.takes(rules, check, kind))
        )

    def may_take(self, rules: Sequence[str], name: str, kind: CheckKind) -> bool:
        """Whether the selection may take a check of these rules and this name, with any figures and conditions.

        Without rules the name stands for a group of checks, each of which has its own rules.
        """
        names = {check.partition("[")[0].partition(" (")[0] for check in self.checks}
        by_name = not names or name in names
        by_kind = not self.kinds or kind in self.kinds
        in_subset = self.subset is None or self.subset.takes(rules, name, kind)
        return by_name and by_kind and (not rules or (self._has_one_of(rules) and in_subset))

    def weaves(self, rules: Sequence[str]) -> bool:
        """Whether scenarios of these rules run under conditions that nobody named; a subset has no such scenarios."""
        by_kind = not self.kinds or CheckKind.SCENARIO in self.kinds
        return self._has_one_of(rules) and by_kind and not self.checks and self.subset is None

    def _has_one_of(self, rules: Sequence[str]) -> bool:
        return not self.rules or not frozenset(rules).isdisjoint(self.rules)

    def reports(self, rule: str, *, ran: bool) -> bool:
        """Whether the report has a verdict on a rule: each selected rule; with named checks, only rules that ran."""
        return (not self.rules or rule in self.rules) and (ran or not self.checks)

    def leaves_out(self, rule: str, *, ran: bool, by_faults: bool = False) -> bool:
        """Whether a rule gets no verdict because it is not selected, or the subset has no check of it.

        `by_faults` says that the rule is about faults.
        """
        if by_faults and self.faults == 0:
            return True
        in_subset = ran or self.subset is None or rule in self.subset.rules
        return not (in_subset and self.reports(rule, ran=ran))

    @property
    def options(self) -> str | None:
        """The options that leave something out, as a user types them; None if there are none, apart from a subset."""
        faults = ("0",) if self.faults == 0 else ()
        given = [("--rule", self.rules), ("--check", self.checks), ("--only", self.kinds), ("--faults", faults)]
        return " ".join(f"{option} {shlex.quote(value)}" for option, values in given for value in values) or None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not (self.rules or self.checks or self.kinds or self.subset or self.faults == 0)
