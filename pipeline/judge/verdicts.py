"""Which rules judge an input, and the verdicts on them from counts, with their reasons."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tidegate.catalogue import Form as RuleForm
from tidegate.catalogue import Rule
from tidegate.catalogue.obligations import owed
from tidegate.model.language.rule import Definition
from tidegate.model.language.running import leads_to_an_operator
from tidegate.model.traces.log_rules import IF_TOLD
from tidegate.pipeline.findings.reports import NO_EVENTS, Counted, Counts, TraceVerdict
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.read.split import Input
from tidegate.record.verdict import Verdict


def rules_of(form: str) -> tuple[Definition, ...]:
    """The trace rules that judge an input of this form."""
    if form != TRACE:
        return LOG_FORMS[form].rules
    # imported here, since a log is judged without these many rules
    from tidegate.model.traces.run_rules import OF_RUNS

    return OF_RUNS


def not_shown(form: str) -> str:
    """Why a rule has judged nothing of an input of this form."""
    return "the trace has no event that this rule judges" if form == TRACE else LOG_FORMS[form].not_shown


def is_optional(definitions: Sequence[Definition]) -> bool:
    """Whether all trace rules are about an optional feature, so that a log without it leaves no rule unknown."""
    return bool(definitions) and all(definition in IF_TOLD for definition in definitions)


class Claim(NamedTuple):
    """A rule that an input must show, and the trace rules that judge it."""

    rule: Rule
    definitions: tuple[Definition, ...]

    def counted(self, file: Input, counts: Counts) -> list[Counted]:
        """What was counted of each of these trace rules in an input."""
        of_file = counts.get(file.name, {})
        return [of_file.get(definition.qualified_name, NO_EVENTS) for definition in self.definitions]


def claims(form: str, capabilities: frozenset[str], rules: Mapping[str, Rule]) -> tuple[Claim, ...]:
    """The claims on an input: for a log, the rules about its lines; for a trace, the rules that its implementation
    claims.

    A rule that owes a trace form and has none is among them, and its verdict is unknown.
    """
    standing: dict[str, list[Definition]] = {}
    for definition in rules_of(form):
        standing.setdefault(definition.rule_id, []).append(definition)
    return tuple(
        Claim(rule, tuple(standing.get(rule.id, ())))
        for rule in rules.values()
        if rule.id in standing or (form == TRACE and RuleForm.TRACE in owed(rule))
        if form != TRACE or capabilities.issuperset(rule.needs)
    )


def shown_claims(
    owed: tuple[Claim, ...], file: Input, counts: Counts, beside: Collection[str] = frozenset()
) -> tuple[Claim, ...]:
    """The claims on a file, without those of which it shows nothing and which leave no rule unknown.

    These are claims on an optional feature, and claims on rules that are judged in other files of the same log, whose
    ids are `beside`.
    """
    return tuple(
        claim
        for claim in owed
        if not (is_optional(claim.definitions) or claim.rule.id in beside) or is_judged(claim, file, counts)
    )


def is_judged(claim: Claim, file: Input, counts: Counts) -> bool:
    """Whether the rule judges an event of the file."""
    return any(each.judged for each in claim.counted(file, counts))


class PutAside(NamedTuple):
    """How many lines of an input were put aside, how many in the files before it, and the `seq` of the very first."""

    lines: int = 0
    before: int = 0
    first: int | None = None
    doubt: str = ""
    """Why lines of the input, or of a file before it in its stream, may not be those of one broker in their order."""


def verdict(claim: Claim, file: Input, put_aside: PutAside, counts: Counts) -> TraceVerdict:
    """The verdict on a rule of an input, over all of the rule's definitions.

    A line that was put aside, in the input or earlier in its stream, may hold an event that seems to be missing. So a
    violation that depends on earlier events is unknown after this line; a violation before the line, or by an event
    alone, is certain. The same goes for a log whose order is not known, and for one whose lines raise a doubt.
    """
    rule, counted = claim.rule, claim.counted(file, counts)
    judged = sum(each.judged for each in counted)
    violated = sum(each.violated for each in counted)
    shown = tuple(one for each in counted for one in each.evidence)
    said, reason = Verdict.KEPT, f"holds of all {judged:,} events that it judges"
    if not counted:
        said, reason = Verdict.UNKNOWN, "no trace rule stands for it"
    elif not judged:
        said, reason = Verdict.UNKNOWN, not_shown(file.form)
    elif violated:
        unread = put_aside.lines + put_aside.before
        is_partial = file.apart or bool(put_aside.doubt)
        first = 0 if is_partial else put_aside.first
        sure = any(_is_sure(each, first, found) for each, found in zip(claim.definitions, counted, strict=True))
        said = Verdict.VIOLATED if sure or not (unread or is_partial) else Verdict.UNKNOWN
        reason = f"does not hold of {violated:,} of the {judged:,} events that it judges"
        if said is Verdict.UNKNOWN:
            reason += f", but lines were put aside ({unread:,})" if unread else ""
            reason += ", but other files of its host may say what seems to be missing" if file.apart else ""
            reason += f", but {put_aside.doubt}" if put_aside.doubt else ""
        reason += f", {put_aside.before:,} of them in files before it" if put_aside.before and not sure else ""
        # the rule's sentence speaks of the broker, and the trace rule's of the lines
        checks = (one.sentence for one, found in zip(claim.definitions, counted, strict=True) if found.violated)
        reason += f"; checked: {'; '.join(check.rstrip('.') for check in checks)}"
    return TraceVerdict(rule.id, rule.level, rule.sentence, said, reason, judged, violated, shown)


def _is_sure(definition: Definition, first_put_aside: int | None, found: Counted) -> bool:
    """Whether no line that was put aside can excuse the first event that violates a trace rule."""
    shown = found.evidence
    in_front = first_put_aside is not None and bool(shown) and shown[0].seq < first_put_aside
    return bool(found.violated) and (in_front or not leads_to_an_operator(definition))
