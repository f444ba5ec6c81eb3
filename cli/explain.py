"""`tidegate explain`: the effect of a broker's configuration."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tidegate.cli.paths import FOLDER, PATH_THERE
from tidegate.cli.upgrade import compared, require_solver
from tidegate.record.errors import BadInput, ExitCode

if TYPE_CHECKING:
    from tidegate.explain.read.unread import Unread
    from tidegate.explain.versions import Version
    from tidegate.explain.vocabulary import Explanation


@click.command()
@click.argument("files", metavar="FILE...", type=PATH_THERE, nargs=-1, required=True)
@click.option("--broker", metavar="NAME[:VERSION]",
              help="Use the rules and defaults of this release as built, such as artemis:2.44.0, or of the documents "
              "(`--broker documents`). The default is the release that the file or a file beside it names, else the "
              "newest release that reads the file.")  # fmt: skip
@click.option("--producers", type=click.IntRange(min=1), default=1, show_default=True, help="Number of producers.")
@click.option("--message-size", metavar="BYTES", default="1024", show_default=True,
              help="Bytes that the broker charges for a message, such as 2000 or 10k.")  # fmt: skip
@click.option("--protocol", help="Only these producers of Artemis, such as amqp, core or stomp.")
@click.option("--window", metavar="BYTES", help="The producerWindowSize of Core producers.  [default: 64k]")
@click.option("--destination", "wanted", multiple=True, metavar="NAME",
              help="Only this address, queue or topic:NAME; may be repeated.")  # fmt: skip
@click.option("--target", metavar="SIZE", help="Say which limit keeps the worst case within this size, such as 512MiB.")
@click.option("--heap", metavar="SIZE", help="The broker's maximum heap, for limits that are a share of the heap.")
@click.option("--disk", metavar="SIZE", help="The size of the disk, for limits of ActiveMQ Classic in percent.")
@click.option("--set", "values", multiple=True, metavar="NAME=VALUE",
              help="The value of a placeholder ${NAME}; may be repeated.")  # fmt: skip
@click.option("--prove", "proving", is_flag=True,
              help="Have the solver prove the worst cases, by the rules of the version.")  # fmt: skip
@click.option("--compare-with", "other", metavar="NAME:VERSION",
              help="Say what changes under this configuration from --broker to this release, such as artemis:2.50.0; "
              "with --lint exit code 1 if anything changes.")  # fmt: skip
@click.option("--reports", metavar="FOLDER", type=FOLDER,
              help="With --compare-with: a folder with reports of runs on both releases, such as "
              "artemis-2.50.0.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
@click.option("--lint", is_flag=True, help="Print only the findings, one per line; exit code 1 if there is a finding.")
def explain(
    files: tuple[Path, ...], broker: str | None, producers: int, message_size: str, protocol: str | None,
    window: str | None, wanted: tuple[str, ...], target: str | None, heap: str | None, disk: str | None,
    values: tuple[str, ...], proving: bool, other: str | None, reports: Path | None,
    as_json: bool, lint: bool,
) -> None:  # fmt: skip
    """Say what a broker's configuration does to producers.

    FILE is a broker.xml of Artemis, a broker.properties that overrides it, an activemq.xml of ActiveMQ Classic, a
    JSON or virtualhosts.xml of Qpid, a YAML or script that holds one of these, or a folder with one of these or with
    broker properties. For each destination the answer names the limits in force, the lines that set them, their effect,
    and the limit that is reached first. It says how far producers can fill the destination in the worst case, and which
    settings have no effect or contradict each other.
    """
    from tidegate.explain import explaining, show, show_changes, versions
    from tidegate.explain.machine import Machine
    from tidegate.explain.read.unread import REFUSED, raise_all
    from tidegate.explain.vocabulary import Traffic

    name, release = versions.parse(broker)
    size = _size(message_size, "--message-size")
    of_core = None if window is None else _size(window, "--window")
    traffic = Traffic(producers, size, protocol or "", of_core, with_steps=not lint)
    most = None if target is None else _size(target, "--target")
    sizes = (None if each is None else _size(each, option) for each, option in ((heap, "--heap"), (disk, "--disk")))
    on = Machine(*sizes)
    known = dict(_value(each) for each in values)
    any_found, all_proved, data = False, True, []
    unread: list[Unread] = []
    faults: list[BadInput] = []
    for number, (path, read) in enumerate(explaining.read_files(files, known, faults)):
        unread += read.unread
        taken = explaining.version_of(read, name, release, path)
        is_refused = any(each.does == REFUSED for each in read.unread)
        if other is not None and not is_refused:
            changes, is_same = compared(read, taken, versions.parse(other), traffic, wanted, on, reports)
            any_found = any_found or not is_same
            data.append(changes)
            if not as_json:
                click.echo("\n".join([*([""] if number else []), *show_changes.lines(changes)]))
            continue
        found = explaining.explain(read, taken, traffic, wanted, on)
        targets = {} if most is None or is_refused else explaining.targets(read, taken, traffic, most, wanted, on)
        any_found = any_found or bool(found.findings)
        if as_json:
            data.append(show.data(found, targets))
        elif lint:
            for finding in found.findings:
                click.echo(str(finding))
        else:
            click.echo("\n".join([*([""] if number else []), *show.lines(found, traffic, targets)]))
        if proving and not lint:
            all_proved = _proved(found, taken, as_json) and all_proved
    if as_json and (data or not faults):
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    raise_all(unread, faults)
    if (lint and any_found) or not all_proved:
        sys.exit(ExitCode.VIOLATED)


def _proved(found: "Explanation", taken: "Version", silent: bool) -> bool:
    """Whether the solver proves every theorem that the worst cases rest on; each is printed with its outcome."""
    require_solver()
    from tidegate.conformance.proofs.under import results_under
    from tidegate.explain.versions import CORE

    flows = [flow for destination in found.destinations for flow in destination.flows]
    models = ((taken.model(), False), (taken.model(CORE), True))
    results = [
        result
        for model, is_core in models
        for result in results_under(
            model,
            {each for flow in flows if flow.producers.startswith("Core") == is_core for each in flow.bound.proved},
        )
    ]
    for result in results if not silent else ():
        click.echo(f"{result.claim.id}: {result.outcome} by z3 in {result.ms:.0f} ms: {result.claim.sentence}")
    return all(result.as_expected for result in results)


def _size(text: str, option: str) -> int:
    from tidegate.explain.sizes import size

    found = size(text)
    if found is None or found < 1:
        raise BadInput(f"expected a size such as 2000, 10k or 512MiB, not {text!r}", field=option)
    return found


def _value(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name:
        raise BadInput(f"expected NAME=VALUE, not {text!r}", field="--set")
    return name, value
