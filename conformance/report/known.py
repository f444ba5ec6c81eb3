"""The sentences of a report about declared deviations: which hold, which do not, and which were not used."""

from collections import Counter
from collections.abc import Iterator

from tidegate.conformance.report.view import label
from tidegate.record.report import DeviationState, ImplementationReport, Report


def sentences(report: Report) -> tuple[str, ...]:
    """The sentences about declared deviations, apart from the violations themselves; none if nothing was declared."""
    of_each = (sentence for each in report.implementations for sentence in of(each))
    return (*of_each, *report.declared_elsewhere)


def of(report: ImplementationReport) -> Iterator[str]:
    """The sentences about the deviations that are declared for one implementation."""
    if not report.declared:
        return
    numbers = Counter(one.state for one in report.declared)
    counted = ", ".join(f"{numbers[state]} {words}" for state, words in _COUNTED.items() if numbers[state])
    yield f"Known deviations of {label(report)}: {counted}."
    if numbers[DeviationState.GONE]:
        yield "Delete the declarations that are gone from the file, or have --write-deviations FILE delete them."
    for day in sorted({one.expires for one in report.declared if one.expires_soon and one.expires}):
        rules = dict.fromkeys(one.rule for one in report.declared if one.expires == day)
        yield f"Known deviations that expire on {day}: {', '.join(rules)}."
    if waiting := dict.fromkeys(one.rule for one in report.declared if not one.explained):
        yield f"Known deviations whose reason or link is still to be filled in: {', '.join(waiting)}."


_COUNTED = {
    DeviationState.HOLDS: "as declared",
    DeviationState.CHANGED: "by another figure",
    DeviationState.GONE: "gone",
    DeviationState.EXPIRED: "expired",
    DeviationState.NOT_SEEN: "not seen in this run",
}
"""The words for the number of declarations in each state."""
