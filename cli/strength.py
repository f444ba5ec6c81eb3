"""`tidegate strength`: how many faulty brokers the suite finds, and which rule finds each."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.paths import WRITTEN_FILE
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.hints import did_you_mean

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tidegate.conformance.strength.faults import Fault
    from tidegate.conformance.strength.summary import Measured

IMPLEMENTATION = "reference"
"""The implementation that the faulty brokers are made from."""
WIDEST_NAME = 60
"""The most characters of a fault's name; a narrower terminal breaks it earlier."""


@click.command()
@click.option("--mechanism", metavar="NAME", help="Only faults of this mechanism.")
@click.option("--fault", "names", multiple=True, metavar="NAME", help="Only this fault; may be repeated.")
@click.option("--series", type=click.IntRange(1, 2), metavar="N",
              help="Only faults of this series, 1 or 2; the held-out ones are of the second.")  # fmt: skip
@click.option("--held-out", is_flag=True,
              help="Only the held-out faults, which nobody sees while the suite is changed.")  # fmt: skip
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N faults; the same N each time.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="processors",
              help="How many brokers at once.")  # fmt: skip
@click.option("--strength", "crossed", type=click.IntRange(0, 3), default=1, show_default=True,
              help="Combine conditions such as topic or transacted: each one (1), each pair (2), each triple "
                   "(3), none (0).")  # fmt: skip
@click.option("--control/--no-control", default=True, show_default=True,
              help="Also run the suite on the brokers without a fault, which takes as long as ten faulty "
                   "ones.")  # fmt: skip
@click.option("--json", "file", type=WRITTEN_FILE, help="Write the figures to this JSON file as well.")
@click.option("--list", "only_list", is_flag=True,
              help="List the faults with their witnesses (the steps that show them), and run nothing.")  # fmt: skip
@click.option(
    "--find-witnesses",
    "witnesses",
    type=WRITTEN_FILE,
    help="Search the steps that show each fault, and write them into this file.",
)
def strength(
    mechanism: str | None, names: tuple[str, ...], series: int | None, held_out: bool, sample: int | None, jobs: int,
    crossed: int, control: bool, file: Path | None, only_list: bool, witnesses: Path | None,
) -> None:  # fmt: skip
    """Run the suite on brokers with one fault each, and say which faults it finds, by which rule.

    A fault is a mechanism of the reference with an operator (what is wrong) and a trigger (when it shows). Exit
    code 1 if the suite misses a fault, or reports a violation by a correct broker.
    """
    from tidegate.adapters.resolver import resolve
    from tidegate.conformance.strength.faults import faults
    from tidegate.conformance.strength.witness import known

    classes = _classes(resolve(IMPLEMENTATION))
    everything = list(faults(classes))
    if witnesses is not None:
        _find_witnesses(everything, classes, jobs, witnesses)
        return
    real = [fault for fault in everything if fault.name in known().scripts]
    chosen = _chosen(real, mechanism, names, series=series, held_out=held_out, sample=sample)
    if only_list:
        for line in _described(chosen):
            click.echo(line)
        return
    same = sum(fault.name in known().same for fault in everything)
    measured = _measure(chosen, classes, jobs, crossed, control=control, candidates=len(everything), same=same)
    _show(measured, held_out=held_out)
    if file is not None:
        from tidegate.conformance.strength.summary import as_json

        file.write_text(json.dumps(as_json(measured), indent=1) + "\n", encoding="utf-8")
    if not measured.is_clean:
        sys.exit(ExitCode.VIOLATED)


def _classes(factories: Mapping[str, object]) -> dict[str, type]:
    return {name: cls for name, cls in factories.items() if isinstance(cls, type)}


def _chosen(
    real: "Sequence[Fault]", mechanism: str | None, names: Sequence[str], *, series: int | None, held_out: bool,
    sample: int | None,
) -> "list[Fault]":  # fmt: skip
    """The chosen faults, in their order; a fault that is named is measured whether it is held out or not."""
    mechanisms = tuple(dict.fromkeys(fault.mechanism.name for fault in real))
    if mechanism is not None and mechanism not in mechanisms:
        raise BadInput(
            f"expected a mechanism ({', '.join(mechanisms)}), not {mechanism!r}{did_you_mean(mechanism, mechanisms)}"
        )
    by_name = {fault.name: fault for fault in real}
    for name in names:
        if name not in by_name:
            hint = did_you_mean(name, by_name)
            raise BadInput(f"expected a fault, as `tidegate strength --list` names it, not {name!r}{hint}")
    chosen = [by_name[name] for name in names] or [fault for fault in real if fault.is_held_out is held_out]
    chosen = [fault for fault in chosen if mechanism in (None, fault.mechanism.name) and series in (None, fault.series)]
    drawn = sorted(chosen, key=lambda fault: fault.draw)[:sample]
    if not drawn:
        asked = [f"the {kind} {wanted}" for kind, wanted in (("mechanism", mechanism), ("series", series)) if wanted]
        raise BadInput(f"expected a fault of {' and '.join(asked)}; none of the faults that are named is one")
    return [fault for fault in chosen if fault in drawn]


def _described(chosen: "Sequence[Fault]") -> Iterator[str]:
    from tidegate.conformance.strength.witness import in_words, known

    for fault in chosen:
        yield f"{fault.name}\n    {fault.words}\n    breaks {', '.join(fault.rules)}"
        yield from (f"    {line}" for line in in_words(known().scripts[fault.name]))


def _measure(
    chosen: "Sequence[Fault]", classes: Mapping[str, type], jobs: int, crossed: int, *, control: bool, candidates: int,
    same: int,
) -> "Measured":  # fmt: skip
    from rich.console import Console

    from tidegate.conformance.strength import measure
    from tidegate.conformance.strength.conditions_met import met
    from tidegate.conformance.strength.summary import Measured

    used = {name: cls for name, cls in classes.items() if any(fault.mechanism.adapter == name for fault in chosen)}
    rows = []
    with Console(stderr=True).status("the right brokers") as status:
        flags = measure.flags(used, jobs, crossed) if control else {}
        for row in measure.rows(chosen, classes, jobs, crossed):
            rows.append(row)
            status.update(f"{len(rows)} of {len(chosen)} faults: {row.fault}")
    order = [fault.name for fault in chosen]
    rows.sort(key=lambda row: order.index(row.fault))
    conditions = {name: met(cls().capabilities, crossed) for name, cls in used.items()}
    return Measured(tuple(rows), flags, conditions, candidates, same)


def _show(measured: "Measured", *, held_out: bool) -> None:
    from rich.console import Console

    from tidegate.conformance.strength.summary import HEADINGS, lists, table
    from tidegate.pages.tables import print_whole

    console = Console()
    print_whole(_table(HEADINGS, list(table(measured.rows))), console)
    for title, rows in lists(measured.rows):
        if rows:
            console.print(f"\n[bold]{title}[/bold] ({len(rows)})")
            for row in rows:
                told = f"told: {', '.join(row.told.violated[:3])}; " if row.found else ""
                console.print(f"  {row.fault}: {row.words} {told}breaks {', '.join(row.rules)}", highlight=False,
                              soft_wrap=True, markup=False)  # fmt: skip
    _show_control(measured, console)
    kind = "held out" if held_out else "not held out"
    console.print(
        f"\n{len(measured.rows)} faults, {kind}, measured; of {measured.candidates} combinations of mechanism, "
        f"operator and trigger {measured.same} showed no difference and are no faults", highlight=False, soft_wrap=True,
    )  # fmt: skip


def _show_control(measured: "Measured", console: "Console") -> None:
    from tidegate.pages.tables import print_whole

    console.print()
    rows = [
        (
            name,
            str(len(measured.flags[name])) if name in measured.flags else "not run",
            f"{met.values} of {met.of_values}",
            f"{met.pairs} of {met.of_pairs}",
        )
        for name, met in measured.conditions.items()
    ]
    print_whole(_table(("right broker", "violated", "values of conditions", "pairs of values"), rows), console)
    for name, flags in measured.flags.items():
        if flags:
            console.print(f"[bold red]flagged although it is right[/bold red]: {name}: {', '.join(flags)}")


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _find_witnesses(everything: "Sequence[Fault]", classes: Mapping[str, type], jobs: int, file: Path) -> None:
    from tidegate.conformance.strength.searching import found
    from tidegate.conformance.strength.witness import written

    witnesses = found(everything, classes, jobs)
    file.write_text(written(witnesses), encoding="utf-8")
    click.echo(f"{len(witnesses.scripts)} faults with a witness, {len(witnesses.same)} that showed no difference")
