"""The fast reader of a log: all lines of a block at once, as columns of Polars; it leaves the lines that it is not sure
of.

It looks for the same marks, cuts texts by the same patterns, and requires the same of fields as the careful reader,
which reads the lines that are left. So there is one definition of how a line is read.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from functools import cache
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.lines.careful import ESCAPE, LONGEST_LINE, CarefulReader, cause_of, figure_named
from tidegate.pipeline.lines.line_form import SEPARATORS, SHAPES
from tidegate.pipeline.lines.log_form import Statement, Subject
from tidegate.pipeline.lines.times import DATE_TIME, milliseconds
from tidegate.pipeline.read.tables import LINE, OFFSET

GROUPS = re.compile(rf"(?<=\d)[{SEPARATORS}](?=\d{{3}}(?!\d))", re.ASCII)
FIRST_LINES = 20
"""The number of lines with a mark that are searched for the separator of figures in a block."""
USUAL_SEPARATOR = ","
FIELD_NAMED = re.compile(r"\{(\w+)\}")
"""A field of the line in a template of an event."""
STAMP = (
    r"^\[?(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[ T](?P<clock>[0-9]{2}:[0-9]{2}:[0-5][0-9])[.,](?P<ms>[0-9]{3})[0-9]{0,6}"
    r"(?: ?(?:(?P<utc>Z)|(?P<east>[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))[ \]|]|(?P<odd> (?:Z|[+-][0-9]))|[ \]|])"
)
"""A time in front of a line as the careful reader reads it, on any date; not sure where a zone may be `odd`."""
FIRST_YEAR_MS = 365 * 86_400_000
"""The end of 1970 in ms: a time before the epoch in some zone is no time."""
BLANKS = " \t\r\n"
WHOLE_END = r"[!-~]$"
"""A line that ends with a visible character without its BLANKS: only the careful reader knows all other blanks."""
# all signs that Python takes for blanks, since the careful reader leaves them out behind a subject
ALL_BLANKS = "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace())
ODD = 1
NO_TEXT = bytes([*range(128), *[ODD] * 128])
"""A table for `translate` that replaces each byte outside ASCII by ODD."""
UNSURE = f"[{chr(ODD)}{ESCAPE}]"
"""The signs in a line that only the careful reader reads: bytes outside ASCII, and colours of a terminal."""
TEXT, MARK, TIME, WRITTEN = "text", "mark", "time", "written"
HEAD, BODY, WHOLE, ABOUT = "head", "body", "whole", "about"
FIELD = "field_"
"""The prefix of a field of a line, since its name may be that of another column."""


class FastRead(NamedTuple):
    """The result of reading a text: the ends of its lines, its events, and the other lines that have a mark.

    Beside fields of an event the columns are LINE, the number of the line from 0, and OFFSET, the byte of the text at
    which it begins. A line that is left is its number, its begin, and its end.
    """

    ends: pl.Series
    columns: pl.DataFrame
    left: Sequence[Sequence[int]]


def read_lines(text: bytes, reader: CarefulReader) -> FastRead:
    """The events of a text that can be read without the careful reader, and the lines that are left."""
    ends, lines = _lines(text)
    marked = lines.filter(pl.col(TEXT).str.contains(_any_of(reader.form.marks)))
    timed = _timed(marked, reader.zone).with_columns(
        pl.col(TEXT).str.strip_chars_end(BLANKS).alias(TEXT),
        pl.col(TEXT).str.extract(f"({_any_of(reader.form.marks)})", 1).alias(MARK),
    )
    is_short = pl.col(TEXT).str.len_bytes() <= LONGEST_LINE
    is_text = pl.col(TEXT).str.contains(WHOLE_END) & ~pl.col(TEXT).str.contains(UNSURE)
    sure = timed.filter(pl.col(TIME).is_not_null() & is_short & is_text)
    separator = _likely_separator(marked[TEXT].head(FIRST_LINES))
    found = []
    for (mark,), rows in sure.partition_by(MARK, as_dict=True).items():
        found += list(_read([each for each in reader.form.statements if each.mark == mark], rows, separator))
    columns = pl.concat(found, how="diagonal").sort(LINE) if found else pl.DataFrame(schema=marked.schema).drop(TEXT)
    left = marked.join(columns, on=LINE, how="anti", maintain_order="left")
    return FastRead(ends, columns, left.select(LINE, OFFSET, ends.gather(left[LINE])).rows())


def _lines(text: bytes) -> tuple[pl.Series, pl.DataFrame]:
    """The end of each line, and the lines without their ends."""
    lines = pl.Series(TEXT, [_decoded(text)]).str.split("\n").explode()
    # after the end of the last line there is no further line
    lines = lines if lines[-1] else lines.head(-1)
    lengths = lines.str.len_bytes().cast(pl.Int64)
    ends = (lengths + 1).cum_sum() - 1
    found = pl.DataFrame({OFFSET: ends - lengths, TEXT: lines}).with_row_index(LINE)
    return ends.alias("end"), found.cast({LINE: pl.Int64})


def _decoded(text: bytes) -> str:
    """The text; if it is not all UTF-8, every byte outside ASCII is ODD."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.translate(NO_TEXT).decode()


def _likely_separator(lines: pl.Series) -> str:
    """The separator of figures in the first lines with a mark; a guess, on which only the speed depends."""
    seen = Counter(found for line in lines for found in GROUPS.findall(line))
    return seen.most_common(1)[0][0] if seen else USUAL_SEPARATOR


def _timed(lines: pl.DataFrame, zone: tzinfo) -> pl.DataFrame:
    """The lines with TIME, in ms since the epoch; null where the careful reader might read another time."""
    told = lines.with_columns(pl.col(TEXT).str.extract_groups(STAMP).alias(TIME)).unnest(TIME)
    written = pl.concat_str("date", pl.lit(" "), "clock").str.to_datetime(
        "%Y-%m-%d %H:%M:%S", time_unit="ms", strict=False
    )
    east = pl.col("east").str
    minutes = east.slice(1, 2).cast(pl.Int64) * 60 + east.slice(4, 2).cast(pl.Int64)
    shift = pl.when(east.starts_with("-")).then(-minutes).otherwise(minutes).fill_null(0) * 60_000
    told = told.with_columns(written.alias(WRITTEN)).with_columns(pl.col(WRITTEN).dt.epoch("ms").alias(TIME))
    is_local = pl.col("utc").is_null() & pl.col("east").is_null()
    utc = pl.col(TIME) - shift
    if zone is not UTC:
        local = told.filter(is_local)[WRITTEN].drop_nulls().unique()
        known = {each: milliseconds(each, zone) for each in local}
        known = {each: ms for each, ms in known.items() if isinstance(ms, int)}
        of_zone = pl.col(WRITTEN).replace_strict(list(known), list(known.values()), default=None, return_dtype=pl.Int64)
        utc = pl.when(is_local).then(of_zone).otherwise(utc)
    is_time = (pl.col(TIME) >= FIRST_YEAR_MS) & pl.col("odd").is_null()
    return told.select(*lines.columns, pl.when(is_time).then(utc + pl.col("ms").cast(pl.Int64)).alias(TIME))


def _read(statements: Sequence[Statement], rows: pl.DataFrame, separator: str) -> Iterator[pl.DataFrame]:
    """The events of lines with a mark, by the first of its statements whose text fits."""
    for statement in statements:
        if rows.is_empty():
            return
        text = statement.text
        behind = f"^(?P<{WHOLE}>{text.behind_opening(FIELD)})$"
        likely = rows.filter(pl.col(TEXT).str.contains(max(text.literals, key=len), literal=True))
        if statement.without:
            likely = likely.filter(~pl.col(TEXT).str.contains(statement.without, literal=True))
        # a text begins at the first occurrence of its opening
        cut = likely.with_columns(
            pl.col(TEXT).str.splitn(text.opening, 2).struct.rename_fields([HEAD, BODY]).alias(BODY)
        )
        cut = cut.unnest(BODY).with_columns(pl.col(BODY).str.extract_groups(behind).alias(BODY))
        fits = cut.filter(pl.col(BODY).struct.field(WHOLE).is_not_null()).unnest(BODY)
        # behind another time, another record may begin
        alone = ~pl.col(WHOLE).str.contains(DATE_TIME)
        is_sure = pl.all_horizontal(alone, *(_is_sure(name, kind, separator) for name, kind in text.types.items()))
        sure, unsure = fits.filter(is_sure), fits.filter(~is_sure)
        sure = sure.with_columns(_figure(name, separator) for name, kind in text.types.items() if SHAPES[kind].number)
        if statement.subject is not None and sure.height:
            sure = _about(statement.subject, sure)
        if sure.height:
            yield sure.select(LINE, OFFSET, TIME, **_columns(statement, sure))
        # a line without the subject may fit a later statement; a line with a doubtful field is left
        rows = rows.join(
            pl.concat([sure.select(LINE), unsure.select(LINE)]), on=LINE, how="anti", maintain_order="left"
        )


def _is_sure(name: str, kind: str, separator: str) -> pl.Expr:
    """Whether a field is surely of its type."""
    value, shape = pl.col(FIELD + name).str, SHAPES[kind]
    if not shape.number:
        return value.contains(f"^(?:{shape.pattern})$")
    grouped = rf"|[0-9]{{1,3}}(?:{re.escape(separator)}[0-9]{{3}}){{1,5}}" if kind in ("number", "limit") else ""
    below = "|-1" if kind in ("limit", "level") else ""
    return value.contains(f"^(?:[0-9]{{1,18}}{grouped}{below})$")


def _figure(name: str, separator: str) -> pl.Expr:
    return pl.col(FIELD + name).str.replace_all(separator, "", literal=True).cast(pl.Int64)


def _about(subject: Subject, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose head ends with the subject, with its fields."""
    parts = pl.col(HEAD).str.split(subject.opening)
    last = pl.when(parts.list.len() > 1).then(pl.lit(subject.opening) + parts.list.last())
    pattern = re.sub(r"\?P<", f"?P<{FIELD}", subject.pattern)
    about = last.str.strip_chars_end(ALL_BLANKS).str.extract_groups(f"^(?P<{WHOLE}>{pattern})$")
    told = rows.with_columns(about.alias(ABOUT))
    return told.filter(pl.col(ABOUT).struct.field(WHOLE).is_not_null()).drop(WHOLE).unnest(ABOUT)


def _columns(statement: Statement, rows: pl.DataFrame) -> Mapping[str, pl.Expr | pl.Series]:
    """The fields of the events that lines of a statement make."""
    cause: pl.Expr | pl.Series = pl.lit(statement.cause or statement.mark)
    if statement.causes:
        figures = {name for each in statement.causes for name in (each.level, each.limit)}
        told = rows.select(pl.col(FIELD + name).alias(name) for name in figures).iter_rows(named=True)
        cause = pl.Series([cause_of(statement, fields) for fields in told], dtype=pl.String)
    carried = {name: _carried(template) for name, template in statement.carries.items()}
    return {"kind": pl.lit(str(statement.kind)), "cause": cause, **carried}


def _carried(template: str) -> pl.Expr:
    if name := figure_named(template):
        return pl.col(FIELD + name)
    # a missing field is written None, as Python does
    fields = (pl.col(FIELD + name).cast(pl.String).fill_null("None") for name in FIELD_NAMED.findall(template))
    return pl.format(FIELD_NAMED.sub("{}", template), *fields)


@cache
def _any_of(marks: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, marks))
