"""The matrix as one page of HTML that loads nothing else, works without JavaScript, and can be printed."""

from tidegate.conformance.report.html.environment import environment
from tidegate.conformance.report.matrix import Matrix
from tidegate.conformance.report.matrix_sections import sections, silent


def render(matrix: Matrix) -> str:
    """The page. Links to reports are relative to the folder of matrix.json."""
    template = environment().get_template("matrix.html.j2")
    return template.render(matrix=matrix, sections=sections(matrix), silent=silent(matrix))
