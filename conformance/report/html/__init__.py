"""The report as one page of HTML that loads nothing else, works without JavaScript, and can be printed."""

from tidegate.conformance.report.html.page import render

__all__ = ["render"]
