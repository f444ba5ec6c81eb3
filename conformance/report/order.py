"""The order in which a report tells its findings: the violation that explains the others first, with clear evidence.

One fault breaks many checks. The rule or check that presupposes least comes first:

- A violation that follows from another rule comes after violations that do not.
- Levels are made of messages. If a scenario also shows that messages were lost, repeated, miscounted, stored although
  they were refused, or charged after they were gone, the rule about that comes before all else that fails there.
- A scenario names its levels and bytes, so it comes before vectors, random sequences and traces. A scenario that fails
  in a `Then` fails by its own subject; one that fails in a `When` fails by something that it builds on. The rule that
  promises this is told at its place, and the rules of the scenario come later.
- A broker's behaviour comes before its log, and before what its clients make of it.
- A rule whose scenarios fail seldom comes after a rule whose scenarios fail often: by itself it is kept, and it fails
  where it meets another rule. If it fails only under some conditions, the scenarios under these conditions count.
  Scenarios that did not come to judge the rule do not count: what keeps them from it may be the same fault.
- A failure of a scenario as written comes before a failure only under further conditions, and a failure that needs few
  conditions before one that needs more.
- A rule of every mechanism that needs a feature, such as several bindings, and a check that needs a feature beyond its
  rule, come after what needs no such feature.
- A rule that fails in more scenarios comes before a rule that fails in fewer: it explains more. The examples of a
  scenario, and its runs under conditions, count once. So do all scenarios that fail in a `Given`: they miss one state.
- A configured level comes before a default, which is wrong wherever the configured level is.
- A check that needs no more than its rule comes before a check that needs what other rules promise.
- Where only random sequences or traces show a failure, a reaction comes before the boundary on which it builds: a wrong
  boundary fails in the scenarios that name its levels.
- A rule of a mechanism comes before what every mechanism owes, and a threshold or a reaction before statements about
  it: its unit, its exemptions, how far it is overrun, how long it lasts.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from tidegate.adapters.capabilities import STOPS_PRODUCERS
from tidegate.catalogue import Category, Level, catalogue
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.report.check_names import scenario_named
from tidegate.record.report import Check, CheckKind, CheckResult, RuleVerdict
from tidegate.record.verdict import Verdict

NOT_GREEN = (Verdict.VIOLATED, Verdict.UNKNOWN)
"""The verdicts that a report tells in full, in their order."""
WORST_FIRST = (CheckResult.VIOLATED, CheckResult.UNKNOWN, CheckResult.NOT_USED, CheckResult.USED, CheckResult.KEPT)
CLEAREST_FIRST = (CheckKind.SCENARIO, CheckKind.VECTOR, CheckKind.STATEFUL, CheckKind.TRACE)
BY_CHANCE = CLEAREST_FIRST.index(CheckKind.STATEFUL)
"""The place of the first kind of check that names no level."""
KEYWORDS = ("Given ", "When ", "Then ")
GIVEN = "Given"
JUDGED = ("Then", GIVEN)
"""The steps in which a rule is judged: a `Given` that does not come about breaks the rule that promises it."""
SAID_OF_OTHERS = (Category.UNIT, Category.EXEMPTION, Category.BOUND, Category.TIMING, Category.ERROR)
"""The categories of statements about a threshold or a reaction."""

OF_MESSAGES = ("GENERAL-2", "GENERAL-1", "GENERAL-42", "GENERAL-8")
"""The rules about messages that every level presupposes: accepted messages are kept, refused messages are not stored,
the count is right, and an empty destination is charged nothing. A rule presupposes the rules before it."""
SELDOM = Fraction(1, 5)
"""A rule fails seldom if less than this fraction of its scenarios fail."""
OF_CLIENTS = "client-wait"
"""Every rule about a client needs this capability: rules about how clients wait, and about what clients tell users."""
OF_EVERY_MECHANISM = "general/"
"""The folder of the chapters on what every mechanism owes and no document states."""

FOR_ALL = frozenset({STOPS_PRODUCERS})
"""The capabilities of a rule of every mechanism that is about no feature."""

Key = tuple[Any, ...]
NOTHING: Container[str] = ()


class Clarity(NamedTuple):
    """The sort key of a check: the worst result first, among equal results the clearest check."""

    result: int
    follows: bool
    is_explained: bool
    kind: float
    conditions: int
    needed_beyond_its_rules: int
    is_in_given: bool
    steps: int


NO_CHECK = Clarity(len(WORST_FIRST), False, False, 0, 0, 0, False, 0)


def in_telling_order(verdicts: Sequence[RuleVerdict]) -> list[RuleVerdict]:
    """The violated and unknown verdicts on one implementation; the one that explains the others comes first.

    A violation that is declared or does not count comes after all others.
    """
    failing = {one.rule: frozenset(_failing_scenarios(one)) for one in verdicts if one.rule in OF_MESSAGES}
    told = (one for one in verdicts if one.verdict in NOT_GREEN)
    return sorted(told, key=lambda verdict: _of_verdict(verdict, _explained(verdict.rule, failing)))


def _explained(rule: str, failing: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The scenarios in which another rule about messages fails, on which this rule builds."""
    below = OF_MESSAGES[: OF_MESSAGES.index(rule)] if rule in OF_MESSAGES else OF_MESSAGES
    return frozenset[str]().union(*(failing.get(each, ()) for each in below))


def _failing_scenarios(verdict: RuleVerdict) -> Iterator[str]:
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED:
            yield from check.scenarios or (check.check,)


def _of_verdict(verdict: RuleVerdict, explained: Container[str]) -> Key:
    """The sort key of a verdict; a rule that fails in `explained` scenarios comes later."""
    rules = catalogue()
    rule, place = rules.get(verdict.rule), [*rules, verdict.rule].index(verdict.rule)
    is_general = rule is not None and rule.chapter.startswith(OF_EVERY_MECHANISM)
    needs_a_feature = rule is not None and is_general and not FOR_ALL.issuperset(rule.needs)
    clearest = min((of_check(check, verdict.rule, explained) for check in verdict.checks), default=NO_CHECK)
    return (
        NOT_GREEN.index(verdict.verdict),
        verdict.known_deviation is not None or not verdict.scored,
        (clearest.result, clearest.follows, clearest.is_explained, clearest.kind),
        rule is not None and rule.category is Category.MESSAGE,
        rule is not None and OF_CLIENTS in rule.needs,
        _fails_seldom(verdict),
        clearest.conditions,
        clearest.needed_beyond_its_rules > 0 or needs_a_feature,
        -_number_that_fail(verdict),
        rule is not None and rule.category is Category.DEFAULT,
        clearest.needed_beyond_its_rules,
        is_general,
        rule is not None and rule.category in SAID_OF_OTHERS,
        rule is not None and rule.category is Category.BOUNDARY and clearest.kind >= BY_CHANCE,
        (clearest.is_in_given, clearest.steps),
        verdict.level != Level.MUST,
        place,
    )


def _fails_seldom(verdict: RuleVerdict) -> bool:
    needed = set(verdict.only_under)
    of_scenarios = [
        check.result
        for check in verdict.checks
        if check.kind is CheckKind.SCENARIO
        and check.result is not CheckResult.UNKNOWN
        and needed <= {name.partition(": ")[2] for name in check.conditions}
    ]
    return 0 < of_scenarios.count(CheckResult.VIOLATED) < SELDOM * len(of_scenarios)


def _number_that_fail(verdict: RuleVerdict) -> int:
    """The number of scenarios that fail; all that fail in a `Given` count once."""
    failing = (
        check for check in verdict.checks if check.kind is CheckKind.SCENARIO and check.result is CheckResult.VIOLATED
    )
    return len({GIVEN if _last_keyword(check) == GIVEN else scenario_named(check.check) for check in failing})


def of_check(check: Check, rule: str = "", explained: Container[str] = NOTHING) -> Clarity:
    """The sort key of a check of a rule: the worst first, among these the clearest.

    A check fails by a more basic fault if all its scenarios are `explained`, and comes later.
    """
    kind = CLEAREST_FIRST.index(check.kind)
    last = _last_keyword(check)
    name = scenario_named(check.check)
    on_its_way = check.kind is CheckKind.SCENARIO and last not in JUDGED and not _is_promise(rule, name)
    return Clarity(
        WORST_FIRST.index(check.result),
        bool(check.follows_from) and rule not in check.follows_from,
        all(each in explained for each in check.scenarios or (check.check,)),
        1.5 if on_its_way else kind,
        len(check.conditions),
        _needed_beyond_its_rules().get(name, 0),
        last == GIVEN,
        len(check.done),
    )


@cache
def _needed_beyond_its_rules() -> Mapping[str, int]:
    """By scenario, the number of capabilities that it needs and its rules do not, apart from `STOPS_PRODUCERS`."""
    return {each.check: len(each.needs - {STOPS_PRODUCERS}) for each in scenarios()}


def _is_promise(rule: str, scenario: str) -> bool:
    """Whether a scenario does not judge the rule, but builds on it."""
    return rule not in _rules_of_scenarios().get(scenario, (rule,))


@cache
def _rules_of_scenarios() -> Mapping[str, tuple[str, ...]]:
    """By scenario, the rules that it judges."""
    return {each.check: each.rules for each in scenarios()}


def _last_keyword(check: Check) -> str:
    """The keyword of the last step of a scenario; empty if there is none."""
    return next((step.split()[0] for step in reversed(check.done) if step.startswith(KEYWORDS)), "")
