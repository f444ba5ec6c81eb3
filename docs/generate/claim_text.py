"""A claim in the signs of logic: for every …, given …, possible …, then …."""

import ast
import io
import tokenize
from collections.abc import Iterator

from tidegate.conformance.proofs.claims import Claim

SIGNS = {"and": "∧", "or": "∨", "not": "¬", "<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "*": "·", "-": "−"}
WORDS = {"assume": "given", "possible": "possible", "prove": "then"}
WIDTH = max(map(len, [*WORDS.values(), "for every"])) + 1


def written(claim: Claim) -> str:
    """One line for each statement of a claim; the rules that it calls appear by name."""
    lines = (("for every", ", ".join(claim.definition.parameters)), *_statements(claim))
    return "\n".join(f"{word:<{WIDTH}}{text}" for word, text in lines)


def _statements(claim: Claim) -> Iterator[tuple[str, str]]:
    for statement in claim.definition.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[condition])) if name in WORDS:
                yield WORDS[name], in_signs(ast.unparse(condition))
            case ast.Assign(targets=[target], value=value):
                yield "let", f"{ast.unparse(target)} ← {in_signs(ast.unparse(value))}"
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                yield "", in_signs(ast.unparse(statement))


def in_signs(source: str) -> str:
    """An expression of Python with the signs of logic in place of words and operators."""
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    spaced = [(token.string, token.start[1], token.end[1]) for token in found if token.string.strip()]
    text, end = "", 0
    for string, start, stop in spaced:
        text += " " * (start - end) + SIGNS.get(string, string)
        end = stop
    return text
