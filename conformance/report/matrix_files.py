"""The files of a matrix's folder."""

from pathlib import Path

from tidegate.conformance.report import matrix_html, matrix_markdown
from tidegate.conformance.report.matrix import Matrix, write_matrix

MATRIX_JSON = "matrix.json"
MATRIX_MD = "matrix.md"
MATRIX_HTML = "matrix.html"


def render_all(matrix: Matrix, folder: Path) -> tuple[Path, ...]:
    """Write matrix.json, matrix.md and matrix.html, and create the folder if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    write_matrix(matrix, folder / MATRIX_JSON)
    (folder / MATRIX_MD).write_text(matrix_markdown.render(matrix), encoding="utf-8")
    (folder / MATRIX_HTML).write_text(matrix_html.render(matrix), encoding="utf-8")
    return folder / MATRIX_JSON, folder / MATRIX_MD, folder / MATRIX_HTML
