"""From paths to a report: reads, judges, compares, and writes what was found."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter

from headgate.catalogue import Rule
from headgate.pipeline.comparison import held_against
from headgate.pipeline.findings import InputReport, TraceReport
from headgate.pipeline.identity import Identity, identity_of
from headgate.pipeline.ingest.inputs import Form, Input, inputs
from headgate.pipeline.ingest.tables import Account, Tables, ingest
from headgate.pipeline.session import spark_session
from headgate.pipeline.tallies import Tallies, Witnesses
from headgate.pipeline.verdicts import Claim, claims, verdict
from headgate.pipeline.windows.judging import tally, witnesses
from headgate.record.errors import ExitCode
from headgate.record.report import Report, Verdict

REPORT = TypeAdapter(TraceReport)
REPORT_NAME = "trace-report.json"
CHATTER_NAME = "spark.txt"
MOST_EVIDENCE = 5
"""Events shown for each violated rule of an input."""
MOST_QUARANTINED = 20
"""Lines put aside that are shown; all are in the table."""
LIGHT_BYTES = 64 << 20
"""Files of fewer bytes altogether are little to do."""
NOBODY = Identity("", "", frozenset())

Stage = Callable[[str], object]
"""Told what is being done now."""


def check_files(
    paths: Iterable[Path],
    folder: Path,
    rules: Mapping[str, Rule],
    *,
    master: str | None = None,
    stage: Stage = lambda _: None,
) -> TraceReport:
    """Read the files, judge them and write the tables below `folder`.

    Raises BadInput for what cannot be read, Unavailable without Java, HeadgateError for an unaccounted line.
    """
    files = inputs(paths)
    identities = {file.name: identity_of(Path(file.name)) if file.form is Form.TRACE else NOBODY for file in files}
    folder.mkdir(parents=True, exist_ok=True)
    stage("starting Spark")
    light = sum(Path(file.path).stat().st_size for file in files) < LIGHT_BYTES
    spark = spark_session(folder / CHATTER_NAME, master, light=light)
    stage(f"reading {len(files)} files")
    tables = ingest(spark, files, folder, show=MOST_QUARANTINED)
    reports = _judge(files, identities, tables, rules, stage)
    report = TraceReport(
        version("headgate"), reports, tuple(map(str, tables.quarantined)), compared=None, disagreements=(), exit_code=0
    )
    return replace(report, exit_code=int(exit_code(report)))


def compare(report: TraceReport, run: Report, rules: Mapping[str, Rule], path: Path) -> TraceReport:
    """The same report held against that of the run, read from `path`.

    What the run found as well decides nothing more: the run's own exit code speaks of it.
    """
    held = held_against(report.inputs, run, rules, path)
    compared = replace(report, compared=held.compared, disagreements=held.disagreements)
    return replace(compared, exit_code=int(exit_code(compared)))


def write_report(report: TraceReport, folder: Path) -> None:
    """Write trace-report.json."""
    (folder / REPORT_NAME).write_bytes(REPORT.dump_json(report, indent=2) + b"\n")


def exit_code(report: TraceReport) -> ExitCode:
    """The highest that applies. Unknown is never green, and neither is a comparison of nothing."""
    said = {verdict.verdict for each in report.inputs for verdict in each.verdicts}
    alone = report.compared is None
    if report.quarantined or report.compared == 0 or (alone and Verdict.UNKNOWN in said):
        return ExitCode.UNKNOWN
    if report.disagreements or (alone and Verdict.VIOLATED in said):
        return ExitCode.VIOLATED
    return ExitCode.OK


def _judge(
    files: tuple[Input, ...],
    identities: Mapping[str, Identity],
    tables: Tables,
    rules: Mapping[str, Rule],
    stage: Stage,
) -> tuple[InputReport, ...]:
    wanted = {file.name: claims(file.form, identities[file.name].capabilities, rules) for file in files}
    places = [(name, definition) for name, owed in wanted.items() for claim in owed for definition in claim.definitions]
    definitions = list(dict.fromkeys(definition for _, definition in places))
    events = sum(account.events for account in tables.accounts.values())
    stage(f"judging {events:,} events by {len(definitions)} rules")
    tallies = tally(tables.events, definitions)
    violated = [place for place in places if place in tallies and tallies[place].violated]
    if violated:
        stage("looking for the events that violate a rule")
    shown = witnesses(tables.events, violated, most=MOST_EVIDENCE)
    return tuple(
        _report(file, identities[file.name], tables.accounts[file.name], wanted[file.name], tallies, shown)
        for file in files
    )


def _report(
    file: Input,
    identity: Identity,
    account: Account,
    wanted: tuple[Claim, ...],
    tallies: Tallies,
    shown: Witnesses,
) -> InputReport:
    verdicts = tuple(verdict(claim, file, account.quarantined, tallies, shown) for claim in wanted)
    return InputReport(file.name, file.form, identity.name, identity.version, account, verdicts)
