"""The templates of the suite's pages, with the words and signs of verdicts."""

from jinja2 import Environment

from headgate.conformance.report import view
from headgate.conformance.report.verdicts import wording
from headgate.pages.environment import environment as shared
from headgate.pages.environment import slug
from headgate.pages.signs import SIGNS
from headgate.record.report import RuleVerdict
from headgate.record.verdict import Verdict


def environment() -> Environment:
    """The templates, filters and words of the pages."""
    templates = shared("headgate.conformance.report.html")
    templates.filters.update(wording=wording, word=_word_of_verdict, cell_class=cell_class)
    templates.globals.update(view=view, verdicts=view.ORDER, glyphs=SIGNS)
    return templates


def cell_class(verdict: Verdict | None) -> str:
    """The class of a cell."""
    return "not-judged" if verdict is None else slug(verdict)


def _word_of_verdict(verdict: RuleVerdict | None) -> str:
    return cell_class(None if verdict is None else verdict.verdict)
