"""`tidegate spec`: the rules, the forms that each still owes, the whole as JSON, and the ledger of the sources."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.completion import rules
from tidegate.cli.groups import Group
from tidegate.cli.paths import FILE_THERE, FOLDER_THERE
from tidegate.cli.requirements import requirements
from tidegate.cli.say import say
from tidegate.record.errors import BadInput, ExitCode

if TYPE_CHECKING:
    from tidegate.catalogue.ledger import LedgerFile
    from tidegate.catalogue.rules import Rule

Cells = Sequence[str]
SENTENCES = 3
"""The most claims about a rule that are shown with their sentence; further claims are shown by id only."""
CLAIM_ID = re.compile(r"[A-Z0-9]+-[A-Z][0-9]+")
"""The id of a claim, numbered by kind, such as GATE-T1; rules are numbered by mechanism, such as QPID-QUEUE-1."""
GAP = 2
"""The blanks between two columns of a table."""
LOG_CODE = re.compile(r"[A-Z]{3}-?\d{4,6}")
"""The code with which a broker's log line begins, such as AMQ222183 or QUE-1003."""


@click.group(cls=Group)
def spec() -> None:
    """Read the specification: rules, settings, sources."""


spec.add_command(requirements)


@spec.command("list")
@click.option("--missing", is_flag=True,
              help="Only rules that lack a form (such as a proof) that they owe; exit code 1.")  # fmt: skip
def list_rules(missing: bool) -> None:
    """List the rules in the order of the chapters."""
    from tidegate.catalogue import catalogue

    if missing:
        _list_missing()
        return
    rules = catalogue().values()
    rows = [[rule.id, rule.level, rule.category, ", ".join(rule.needs), rule.title] for rule in rules]
    _table(["rule", "level", "category", "needs", "title"], rows, optional=3)


@spec.command()
@click.argument("rule_id", metavar="ID", shell_complete=rules)
@click.option(
    "--as-built", "profile", metavar="NAME", help="Show the formula of this released version, too: NAME:VERSION."
)
@click.option("--documents", type=FOLDER_THERE,
              help="Show the sentences that state the rule, from copies of the documents in this folder.")  # fmt: skip
def show(rule_id: str, profile: str | None, documents: Path | None) -> None:
    """Show one rule: its sentence, formula, prose, facts and theorems. The case of ID does not matter."""
    from rich.console import Console
    from rich.markdown import Markdown

    from tidegate.catalogue.formula import formula

    if CLAIM_ID.fullmatch(rule_id.upper()):
        raise BadInput(f"expected the id of a rule, not of a claim; see `tidegate prove --only {rule_id.upper()}`")
    rule = _rule(rule_id)
    page = _page(rule, [str(line) for line in formula(rule.defined_by)] if rule.defined_by else [])
    if profile and rule.defined_by:
        from tidegate.catalogue.as_built import formula_as_built

        lines = [str(line) for line in formula_as_built(rule.defined_by, profile)]
        page = "\n".join([page, "", f"As built in {profile}:", "", "```text", *lines, "```"])
    if documents is not None:
        page = "\n".join([page, *_quoted(rule.id, documents)])
    console = Console()
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        click.echo(page)


@spec.command("settings")
@click.argument("word", default="")
def list_settings(word: str) -> None:
    """List the settings that rules are about: their keys, files, units and defaults.

    With WORD, only settings with this word in their key or effect, in upper or lower case.
    """
    from tidegate.catalogue.settings import found

    settings = found(word)
    if not settings:
        raise BadInput(
            f"expected a word of a setting's key or effect, not {word!r}; `tidegate spec settings` lists all"
        )
    for broker, setting in settings:
        say(f"{setting.key} ({broker})")
        say(f"  {setting.does}", 0)
        for name, value in setting.facts:
            say(f"  {name + ':':<9}{value}", 9)


@spec.command()
@click.option("--schema", is_flag=True, help="Print the JSON schema of the export instead.")
def export(schema: bool) -> None:
    """Print the whole specification as JSON."""
    from tidegate.catalogue import catalogue, spec_version
    from tidegate.catalogue.export import schema_json, specification, to_json
    from tidegate.catalogue.ledger import ledgers

    if schema:
        click.echo(schema_json(), nl=False)
        return
    rules = tuple(catalogue().values())
    click.echo(to_json(specification(spec_version(), rules, ledgers())), nl=False)


@spec.command()
@click.option("--documents", type=FOLDER_THERE, help="Recheck the ledger against the texts in this directory.")
@click.option("--list", "listed", is_flag=True, help="List every sentence with the rules that it led to.")
def coverage(documents: Path | None, listed: bool) -> None:
    """Say which rules each sentence of the sources led to; exit code 2 if the ledger is wrong."""
    from tidegate.catalogue import catalogue
    from tidegate.catalogue.ledger import ledgers, problems
    from tidegate.catalogue.recheck import differences

    files = ledgers()
    if listed:
        _print_sentences(files)
    _print_coverage(files)
    found = list(problems(files, catalogue()))
    if documents is not None:
        found += [difference for file in files for difference in differences(file, documents)]
    for problem in found:
        click.echo(str(problem), err=True)
    if found:
        raise BadInput(f"expected a ledger that accounts for every sentence; {len(found)} places do not")
    checked = f"rechecked against {documents}" if documents else "texts not at hand, see --documents"
    say(f"The ledger is complete and agrees with the chapters ({checked}).")


@spec.command()
@click.argument("text", type=FILE_THERE)
@click.option("--document", required=True, help="The id of the document, three digits.")
def skeleton(text: Path, document: str) -> None:
    """Print a ledger for the document TEXT to fill in: a hash for each sentence, and no rules yet."""
    from tidegate.catalogue.recheck import skeleton as ledger_skeleton

    click.echo(ledger_skeleton(text, document), nl=False)


def _list_missing() -> None:
    from tidegate.catalogue import catalogue
    from tidegate.catalogue.matrix import matrix, waived
    from tidegate.conformance.forms import forms

    rules = catalogue()
    lacking = [row for row in matrix(rules, forms()) if row.missing]
    for rule, form, reason in waived(rules.values()):
        say(f"waived: {rule.id} does without {form}: {reason}")
    if not lacking:
        click.echo(f"All {len(rules)} rules have every form that they owe.")
        return
    rows = [[row.rule.id, row.rule.category, ", ".join(row.missing)] for row in lacking]
    _table(["rule", "category", "missing"], rows)
    raise SystemExit(ExitCode.VIOLATED)


def _print_coverage(files: Iterable["LedgerFile"]) -> None:
    rows = []
    later: dict[str, int] = {}
    for file in files:
        ledger = file.ledger
        counts = map(str, ledger.counts().values())
        rows.append([ledger.document, str(ledger.sentences), *counts, ledger.about])
        for mechanism, count in ledger.not_yet_covered().items():
            later[mechanism] = later.get(mechanism, 0) + count
    _table(["document", "sentences", "state rules", "no rule", "not yet covered", "about"], rows)
    _table(
        ["not yet covered", "sentences"],
        [[mechanism, str(count)] for mechanism, count in sorted(later.items(), key=lambda item: -item[1])],
    )


def _print_sentences(files: Iterable["LedgerFile"]) -> None:
    rows = [
        [
            *(file.ledger.document, str(entry.sentence), file.ledger.section_of(entry.sentence)),
            ", ".join(entry.rules or ()) or entry.none or f"not yet covered: {entry.later}",
        ]
        for file in files
        for entry in file.ledger.entries
    ]
    _table(["document", "sentence", "section", "became"], rows)


def _quoted(rule: str, documents: Path) -> Iterator[str]:
    from tidegate.catalogue.ledger import ledgers
    from tidegate.catalogue.recheck import quoted

    found = list(quoted(rule, ledgers(), documents))
    yield from ("", "**In the documents.**" if found else "**In the documents.** No sentence states it: it is our own.")
    for document, ordinal, text in found:
        yield from ("", f"> {text}", ">", f"> {document}, sentence {ordinal}")


def _sources(rule: "Rule") -> str:
    """Each section that states the rule, with its sentences, and the title and address of the document."""
    from tidegate.catalogue.ledger import ledgers

    by_document = {file.ledger.document: file.ledger for file in ledgers()}
    said = []
    for source in rule.sources:
        ledger = by_document[source.document]
        ordinals = [str(each) for each in ledger.stating(rule.id) if ledger.section_of(each) == source.section]
        sentences = f"sentence{'s' if len(ordinals) > 1 else ''} {', '.join(ordinals)}"
        said.append(f"{source.document}, {source.section}, {sentences} ({ledger.title}, {ledger.address})")
    return "; ".join(said) or "our own"


def _rule(rule_id: str) -> "Rule":
    """The rule of an id; for a setting or the code of a log line, BadInput says where the rules are."""
    from tidegate.catalogue import catalogue, rule_named
    from tidegate.catalogue.settings import found

    try:
        return rule_named(rule_id, catalogue())
    except BadInput:
        if (coded := LOG_CODE.fullmatch(rule_id.upper())) and (told := _of_log_code(coded[0])):
            raise BadInput(f"expected a rule id, not {rule_id!r}; {told}") from None
        named = [f"{setting.key} ({broker})" for broker, setting in found(rule_id) if rule_id.strip()]
        if not named:
            raise
        settings = f"`tidegate spec settings {rule_id}` lists the rules of the setting {named[0]}"
        raise BadInput(f"expected a rule id, not {rule_id!r}; {settings}") from None


def _of_log_code(code: str) -> str:
    """The broker that writes log lines with this code, and the rules of their limits; empty for an unknown code."""
    from tidegate.catalogue import catalogue
    from tidegate.catalogue.log_texts import log_texts
    from tidegate.why.lines import FORMS
    from tidegate.why.notices import Released

    brokers: dict[str, None] = {}
    about: dict[str, None] = {}
    for writer in log_texts():
        for line in (writer.line(row) for row in writer.texts if code in row.text):
            brokers[writer.broker] = None
            for form in FORMS:
                found = form.pattern.search(line) if form.mark in line else None
                said = None if found is None else form.says(found.groupdict())
                cause = None if said is None or isinstance(said, Released) else said.cause
                if cause is not None and cause.rule in catalogue():
                    about[cause.rule] = None
    if not brokers:
        return ""
    place = f"this code begins a log line of {' and '.join(brokers)}"
    return f"{place}, about {', '.join(about)}" if about else f"{place}; `tidegate why` explains the whole line"


def _page(rule: "Rule", formula_lines: Sequence[str]) -> str:
    from tidegate.catalogue.obligations import owed
    from tidegate.catalogue.settings import settings_of

    settings = "; ".join(f"{setting.key} ({setting.where})" for setting in settings_of(rule.id))
    facts = [
        ("level", rule.level),
        ("category", rule.category),
        ("needs", ", ".join(rule.needs) or "nothing"),
        ("since", ", ".join(f"{part} {version}" for part, version in rule.since.items()) or "not said"),
        ("source", _sources(rule)),
        ("defined by", rule.defined_by or "nothing: it follows from other rules"),
        *([("with the steps", ", ".join(rule.steps))] if rule.steps else []),
        ("owes", ", ".join(owed(rule))),
        *((f"waives {form}", reason) for form, reason in rule.waives.items()),
        *([("speaks of", ", ".join(rule.speaks_of))] if rule.speaks_of else []),
        *([("settings", settings)] if settings else []),
        *_claims_about(rule.id),
        ("written in", f"spec/{rule.chapter}:{rule.line}"),
    ]
    lines = [f"# {rule.id} · {rule.title}", "", f"> {rule.sentence}", ""]
    if formula_lines:
        lines += ["```text", *formula_lines, "```", ""]
    lines += [rule.body, ""]
    return "\n".join([*lines, *(f"- {name}: {value}" for name, value in facts)])


def _claims_about(rule: str) -> Iterator[tuple[str, str]]:
    """The claims that serve a rule, and the command that proves them; nothing if no claim serves it."""
    from tidegate.conformance.proofs import claims

    serving = [claim for claim in claims() if rule in claim.serves]
    for name, kind in (("theorems", True), ("refuted", False)):
        if chosen := [claim for claim in serving if claim.is_theorem is kind]:
            told = "; ".join(f"{claim.id}, {claim.sentence}" for claim in chosen[:SENTENCES])
            more = ", ".join(claim.id for claim in chosen[SENTENCES:])
            yield name, f"{told}; also {more}" if more else told
    if serving:
        one_alone = f", or one alone: `--only {serving[0].id}`" if len(serving) > 1 else ""
        yield "settled by", f"`tidegate prove --only {rule}`{one_alone}"


def _table(heads: Cells, rows: Sequence[Cells], optional: int | None = None) -> None:
    """A table on a terminal, tab-separated lines for everything else.

    A terminal on which the rows do not fit on one line each shows no optional column.
    """
    from rich.console import Console
    from rich.table import Table

    from tidegate.pages.tables import print_whole

    console = Console()
    if not console.is_terminal:
        for row in (heads, *rows):
            click.echo("\t".join(row))
        return
    if optional is not None:
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        if sum(widths) + GAP * len(widths) > console.width:
            heads, *rows = ([*row[:optional], *row[optional + 1 :]] for row in (heads, *rows))
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for place, head in enumerate(heads):
        table.add_column(head, no_wrap=place == 0)
    for row in rows:
        table.add_row(*row)
    print_whole(table, console)
