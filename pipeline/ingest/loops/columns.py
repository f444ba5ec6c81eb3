"""Columns of events, filled line by line."""

from tidegate.pipeline.compiling import compiled
from tidegate.pipeline.ingest.loops.patterns import NONE, Flags, Numbers, Table

PLAN = WAY, WHAT = range(2)
"""The columns of a plan, which says for each statement how a line of it fills a column."""
NOT, ALWAYS, BY_FIELD, BY_SUBJECT = range(4)
"""The ways: not at all; with the number that the plan has; with that of a field of the line, of which the plan has the
place; with that which belongs to the text that says what the line is about, for which the plan has the row."""


@compiled
def meet(statements: Numbers, spelled: Table, have_subject: Flags, met: Flags) -> None:
    """Mark in `met`, by statement and text, which texts say what lines of those statements are about that have such."""
    subject = spelled.shape[1] - 1
    for line in range(len(statements)):
        statement = statements[line]
        if statement != NONE and have_subject[statement]:
            met[statement, spelled[line, subject]] = True


@compiled
def fill(statements: Numbers, held: Table, spelled: Table, plans: Table, of_subjects: Table, columns: Table) -> None:
    """Fill columns by their plans, with 0 where these say nothing.

    `plans` has for each column a row for each statement, by PLAN. `held` are the numbers of each line's fields. The
    last column of `spelled` is the number of the text that says what a line is about, by which each row of
    `of_subjects` has what belongs to it.
    """
    subject = spelled.shape[1] - 1
    for line in range(len(statements)):
        statement = statements[line]
        if statement == NONE:
            continue
        for n in range(len(columns)):
            way, what = plans[n, statement, WAY], plans[n, statement, WHAT]
            if way == ALWAYS:
                columns[n, line] = what
            elif way == BY_FIELD:
                columns[n, line] = held[line, what]
            elif way == BY_SUBJECT:
                columns[n, line] = of_subjects[what, spelled[line, subject]]
            else:
                columns[n, line] = 0
