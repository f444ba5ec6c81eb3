"""The templates of the suite's pages, with the words and signs of verdicts."""

from jinja2 import Environment

from tidegate.conformance.report import by_condition, known, trust, view
from tidegate.conformance.report.by_condition import State
from tidegate.conformance.report.verdicts import decided, ending, reservation
from tidegate.pages.environment import environment as shared
from tidegate.pages.environment import slug
from tidegate.pages.signs import SIGNS
from tidegate.record.report import RuleVerdict
from tidegate.record.verdict import Verdict

STATES = {
    State.KEPT: SIGNS[Verdict.KEPT],
    State.VIOLATED: SIGNS[Verdict.VIOLATED],
    State.UNKNOWN: SIGNS[Verdict.UNKNOWN],
    State.NOT_TRIED: SIGNS[Verdict.NOT_CLAIMED],
}
"""The sign of each state of a rule under a condition."""


def environment() -> Environment:
    """The templates, filters and words of the pages."""
    templates = shared("tidegate.conformance.report.html")
    templates.filters.update(decided=decided, reservation=reservation, word=_word_of_verdict, cell_class=cell_class)
    templates.globals.update(view=view, known=known, trust=trust, by_condition=by_condition)
    templates.globals.update(verdicts=view.ORDER, glyphs=SIGNS, states=STATES, ending=ending, Verdict=Verdict)
    return templates


def cell_class(verdict: Verdict | None) -> str:
    """The class of a cell."""
    return "not-judged" if verdict is None else slug(verdict)


def _word_of_verdict(verdict: RuleVerdict | None) -> str:
    return cell_class(None if verdict is None else verdict.verdict)
