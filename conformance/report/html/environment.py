"""The templates of the suite's pages, with the words and signs of verdicts."""

from jinja2 import Environment

from tidegate.conformance.report import known, trust, view
from tidegate.conformance.report.verdicts import ending, wording
from tidegate.pages.environment import environment as shared
from tidegate.pages.environment import slug
from tidegate.pages.signs import SIGNS
from tidegate.record.report import RuleVerdict
from tidegate.record.verdict import Verdict


def environment() -> Environment:
    """The templates, filters and words of the pages."""
    templates = shared("tidegate.conformance.report.html")
    templates.filters.update(wording=wording, word=_word_of_verdict, cell_class=cell_class)
    templates.globals.update(
        view=view, known=known, trust=trust, verdicts=view.ORDER, glyphs=SIGNS, ending=ending, Verdict=Verdict
    )
    return templates


def cell_class(verdict: Verdict | None) -> str:
    """The class of a cell."""
    return "not-judged" if verdict is None else slug(verdict)


def _word_of_verdict(verdict: RuleVerdict | None) -> str:
    return cell_class(None if verdict is None else verdict.verdict)
