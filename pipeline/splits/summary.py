"""What is kept beside events: the summary of a split, written by whoever reads it in, and what a stream ends with."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from tidegate.model.language.rule import Definition
from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.splits.order import SEQ
from tidegate.pipeline.splits.plan import SOURCE, fields_of, names_of, plan_of
from tidegate.pipeline.splits.reading import filled
from tidegate.pipeline.splits.tables import Parts, States
from tidegate.pipeline.splits.work import Seen, seen
from tidegate.record.errors import BadInput, TidegateError

ABOUT = "about"
SOURCES = "sources"
NAME, TABLE = "name", "table"


class OtherRules(TidegateError):
    """What an earlier run kept is not of the rules that are to judge now."""


class Summary(NamedTuple):
    """What is in a split, and what its events say to the innermost operators of the rules with this fingerprint.

    Of a split with very many sources it holds no parts, for these would be as large as the events.
    """

    fingerprint: str
    seen: Seen

    def write(self, path: Path) -> None:
        """Write it as one file."""
        _write(
            path,
            {"fingerprint": self.fingerprint, "parts": self.seen.parts is not None},
            self.seen.sources,
            self.seen.parts or {},
        )


class Carried(NamedTuple):
    """What a stream ends with: its last split, up to which seq each source went, and the states of all operators."""

    fingerprint: str
    ordinal: int
    ends: pl.DataFrame
    states: States

    def write(self, path: Path) -> None:
        """Write it as one file."""
        _write(path, {"fingerprint": self.fingerprint, "ordinal": self.ordinal}, self.ends, self.states)


def fingerprint(rules: Sequence[Definition]) -> str:
    """Tells apart rules and operators that say something else; what was kept for others is of no use."""
    return plan_of(names_of(rules)).fingerprint


def summary_of(events: pl.DataFrame, rules: Sequence[Definition]) -> Summary:
    """The summary of a split's events, in their order. Raises TooLarge."""
    names = names_of(rules)
    plan = plan_of(names)
    frame = filled(events.select(sorted({SOURCE, SEQ, *fields_of(plan.at(1))})))
    return Summary(plan.fingerprint, seen(plan, frame, parts=True))


def read_summary(path: Path) -> Summary:
    """Raises BadInput for a file that is none."""
    about, sources, tables = _read(path, {"fingerprint": str, "parts": bool})
    return Summary(about["fingerprint"], Seen(sources, tables if about["parts"] else None))


def read_carried(path: Path) -> Carried:
    """Raises BadInput for a file that is none."""
    about, ends, tables = _read(path, {"fingerprint": str, "ordinal": int})
    return Carried(about["fingerprint"], about["ordinal"], ends, tables)


def _write(path: Path, about: Mapping[str, Any], sources: pl.DataFrame, tables: Parts) -> None:
    rows = {ABOUT: json.dumps(about).encode(), SOURCES: _packed(sources)}
    rows |= {name: _packed(table) for name, table in tables.items()}
    pl.DataFrame({NAME: list(rows), TABLE: list(rows.values())}).write_parquet(path)


def _read(path: Path, wanted: Mapping[str, type]) -> tuple[dict[str, Any], pl.DataFrame, dict[str, pl.DataFrame]]:
    try:
        rows = dict(scanned(path).select(NAME, TABLE).collect().iter_rows())
        about = json.loads(rows.pop(ABOUT))
        tables = {name: pl.read_ipc(BytesIO(table)) for name, table in rows.items()}
        sources = tables.pop(SOURCES)
        if {name: type(about[name]) for name in wanted} != wanted:
            raise KeyError(f"one of {', '.join(wanted)}")
    except (OSError, pl.exceptions.PolarsError, ValueError, KeyError) as error:
        raise BadInput(f"expected what an earlier run of this version kept, but {error}", file=path) from error
    return about, sources, tables


def _packed(table: pl.DataFrame) -> bytes:
    buffer = BytesIO()
    table.write_ipc(buffer, compression="lz4")
    return buffer.getvalue()
