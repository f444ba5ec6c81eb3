"""The templates of the suite's pages, with the words and signs of verdicts."""

from jinja2 import Environment

from headgate import pages
from headgate.conformance.report import view
from headgate.conformance.report.verdicts import wording
from headgate.record.report import RuleVerdict, Verdict


def environment() -> Environment:
    """The templates, filters and words of the pages."""
    environment = pages.environment("headgate.conformance.report.html")
    environment.filters.update(wording=wording, word=_word_of_verdict, cell_class=cell_class)
    environment.globals.update(view=view, verdicts=view.ORDER, glyphs=view.GLYPHS)
    return environment


def cell_class(verdict: Verdict | None) -> str:
    """The class of a cell."""
    return "not-judged" if verdict is None else pages.slug(verdict)


def _word_of_verdict(verdict: RuleVerdict | None) -> str:
    return cell_class(None if verdict is None else verdict.verdict)
