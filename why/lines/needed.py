"""Derives from a regular expression texts that each of its matches has, by which a line is ruled out quickly."""

import re

QUANTIFIER = re.compile(r"(?:[*+?]|\{(?P<least>\d*)(?:,\d*)?\})[?+]?")
FROM_NONE = re.compile(r"[*?]|\{0*[,}]")
"""The beginning of a quantifier that allows no occurrence at all."""
CLASS = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
GROUP = re.compile(r"\((?:\?:|\?P<\w+>|(?!\?))")
"""The beginning of a group whose content is part of the match, letter by letter."""
LETTER = re.compile(r"\\[^\w\s]")
"""A character that is escaped to mean itself."""
LEAST = 2
"""The number of characters of the shortest text that is worth a search."""
Clause = tuple[str, ...]
"""Texts of which each match has at least one."""


def needed(expression: str) -> tuple[Clause, ...]:
    """The clauses that every match fulfils; none if the expression shows none.

    What stands in a lookaround, in a group with flags or behind a condition is passed over.
    """
    if re.match(r"\(\?[aiLmsux]+\)", expression):
        return ()
    clauses, _ = _Reader(expression).alternatives(0)
    return tuple(dict.fromkeys(clauses))


class Sign:
    """An expression that is searched for in many lines, most of which a fast check rules out."""

    def __init__(self, expression: str, flags: re.RegexFlag = re.NOFLAG):
        self.pattern = re.compile(expression, flags)
        self._clauses = [tuple(map(str.lower, clause)) for clause in needed(expression)]

    def found(self, line: str, lowered: str) -> bool:
        """Whether a line, which is also given in lower case, has a match."""
        may = all(any(map(lowered.__contains__, clause)) for clause in self._clauses)
        return may and self.pattern.search(line) is not None


class _Reader:
    """Reads one expression; each method returns the position behind what it read."""

    def __init__(self, expression: str):
        self._text = expression

    def alternatives(self, position: int) -> tuple[list[Clause], int]:
        """The clauses of all alternatives up to the end of a group or of the expression."""
        branches = []
        while True:
            clauses, position = self._sequence(position)
            branches.append(clauses)
            if not self._text.startswith("|", position):
                break
            position += 1
        if len(branches) == 1:
            return branches[0], position
        chosen = [max(clauses, key=_worth, default=()) for clauses in branches]
        return ([tuple(text for clause in chosen for text in clause)] if all(chosen) else []), position

    def _sequence(self, position: int) -> tuple[list[Clause], int]:
        clauses: list[Clause] = []
        run = ""

        def end_run() -> None:
            nonlocal run
            if len(run) >= LEAST:
                clauses.append((run,))
            run = ""

        while position < len(self._text) and self._text[position] not in "|)":
            letter, inner, position = self._atom(position)
            found = QUANTIFIER.match(self._text, position)
            if found is None:
                if letter:
                    run += letter
                    continue
                end_run()
                clauses += inner
                continue
            position = found.end()
            if FROM_NONE.match(found[0]):
                end_run()
                continue
            run += letter
            end_run()
            clauses += inner
        end_run()
        return clauses, position

    def _atom(self, position: int) -> tuple[str, list[Clause], int]:
        """A letter that means itself, or the clauses of a group, and the position behind."""
        text = self._text
        if text[position] == "\\":
            letter = text[position + 1] if LETTER.match(text, position) else ""
            return letter, [], position + 2
        if text[position] == "[":
            found = CLASS.match(text, position)
            if found is None:
                raise ValueError(f"expected the end of a class: {text}")
            return "", [], found.end()
        if text[position] == "(":
            found = GROUP.match(text, position)
            if found is None:
                return "", [], self._passed_over(position)
            clauses, position = self.alternatives(found.end())
            return "", clauses, position + 1
        return ("" if text[position] in ".^$" else text[position]), [], position + 1

    def _passed_over(self, position: int) -> int:
        """The position behind a group whose content does not count."""
        _, position = self.alternatives(position + 2)
        return position + 1


def _worth(clause: Clause) -> int:
    return min(map(len, clause))
