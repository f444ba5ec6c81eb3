"""`tidegate attack`: how far producers fill a destination of any adapter, compared with the stated bound."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tidegate.cli.completion import adapters
from tidegate.cli.paths import FILE_THERE
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput, ExitCode

if TYPE_CHECKING:
    from tidegate.conformance.attack.aim import Attack
    from tidegate.explain.figures import Figures

MOST_STEPS = 12
"""The most steps that are shown on a terminal."""
MESSAGE = 100
"""The default size of a message in bytes, to be multiplied by the scale of the adapter."""
LIMIT, RESUME, CREDITS, LOW, WINDOW = 50, 40, 100, 30, 10
"""The default figures, in messages or credits."""


@click.command()
@click.argument("name", metavar="ADAPTER", shell_complete=adapters)
@click.argument("file", metavar="[CONFIG]", type=FILE_THERE, required=False)
@click.option("--destination", metavar="NAME", help="Which address or queue of CONFIG; by default the first.")
@click.option("--producers", type=click.IntRange(min=1), default=3, show_default=True, help="Number of producers.")
@click.option("--message-size", metavar="BYTES",
              help="Bytes that the broker charges for a message.  [default: 100, times the adapter's "
                   "scale]")  # fmt: skip
@click.option("--limit", metavar="BYTES", help="Capacity, maximum size or memory limit.  [default: 50 messages]")
@click.option("--resume", metavar="BYTES", help="Resume level of a queue.  [default: 40 messages]")
@click.option("--reject", metavar="BYTES", help="Reject threshold of an address.")
@click.option("--credits", "credit", type=click.IntRange(min=1), help="Credits of an AMQP producer.  [default: 100]")
@click.option("--low", type=int, help="Credits left at which more are issued.  [default: 30]")
@click.option("--window", metavar="BYTES", help="Window of a Core producer.  [default: 10 messages]")
@click.option("--broker", metavar="NAME[:VERSION]",
              help="Take the bound of this release as built; by default of the adapter's version.")  # fmt: skip
@click.option("--seeds", type=click.IntRange(min=0), default=2, show_default=True,
              help="Number of random orders of events to try.")  # fmt: skip
@click.option("--steps", is_flag=True, help="Show the steps that filled the destination furthest.")
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
def attack(
    name: str, file: Path | None, destination: str | None, producers: int, message_size: str | None, limit: str | None,
    resume: str | None, reject: str | None, credit: int | None, low: int | None, window: str | None,
    broker: str | None, seeds: int, steps: bool, as_json: bool,
) -> None:  # fmt: skip
    """Fill a destination of ADAPTER as far as the broker lets producers, and compare the level with the worst case.

    The figures come from CONFIG, as `tidegate explain` reads it, or from the options. Producers send only when they
    may. Exit code 1 if the destination held more than the stated bound, 3 if one of several adapters has no bound,
    4 if an adapter could not be driven.
    """
    from tidegate.adapters.resolver import resolve
    from tidegate.conformance.attack.attacking import NotDriven, begun

    given = {
        "limit": _bytes(limit, "--limit"), "resume": _bytes(resume, "--resume"), "reject": _bytes(reject, "--reject"),
        "credit": credit, "low": low, "window": _bytes(window, "--window"),
    }  # fmt: skip
    figures = {key: figure for key, figure in given.items() if figure is not None}
    size = _bytes(message_size, "--message-size")
    codes, data = [], []
    resolved = resolve(name)
    for full_name, factory in resolved.items():
        adapter = factory()
        try:
            begun(adapter)
            found = _attacked(full_name, adapter, file, destination, figures, size, producers, broker, seeds)
        except NotDriven as error:
            click.echo(f"tidegate: {full_name}: {error}", err=True)
            codes.append(ExitCode.HARNESS)
            continue
        except BadInput as error:
            if len(resolved) == 1:
                raise
            click.echo(f"tidegate: {error}", err=True)  # the other adapters of a group are attacked all the same
            codes.append(ExitCode.BAD_INPUT)
            continue
        finally:
            adapter.stop()
        data.append(found)
        codes.append(ExitCode.VIOLATED if found["reached_bytes"] > found["bound_bytes"] else ExitCode.OK)
        if not as_json:
            _show(found, steps=steps)
    if as_json:
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    sys.exit(ExitCode.of_all(codes))


def _attacked(
    name: str, adapter: Any, file: Path | None, destination: str | None, given: dict[str, int],
    size: int | None, producers: int, broker: str | None, seeds: int,
) -> dict[str, Any]:  # fmt: skip
    from tidegate.conformance.attack.aim import Aim, limits_of, mechanism_of
    from tidegate.conformance.attack.attacking import attacks
    from tidegate.explain import bounds
    from tidegate.explain.figures import case_of
    from tidegate.explain.versions import Version
    from tidegate.explain.vocabulary import Traffic
    from tidegate.explain.witness import witness

    mechanism = mechanism_of(adapter.capabilities)
    if mechanism is None:
        expected = "expected an adapter that stops producers of each destination at a limit in bytes"
        raise BadInput(f"no bound is stated for {name}: {expected}")
    traffic = Traffic(producers, size or MESSAGE * adapter.parameters.scale)
    if traffic.size < adapter.parameters.smallest_message_bytes:
        least = adapter.parameters.smallest_message_bytes
        raise BadInput(
            f"expected messages of at least {counted(least, 'bytes')}, not {traffic.size:,}", field="--message-size"
        )
    version = _version(name, adapter, broker)
    figures = _figures(mechanism, file, destination, given, traffic.size, version)
    case = case_of(figures, version)
    bound, documented = case.bound(traffic), case_of(figures, Version(version.broker)).bound(traffic)
    if bound.bytes is None:
        raise BadInput(f"no bound is stated: {bound.because}")
    limits = limits_of(mechanism, figures.limit, figures.resume, figures.reject, figures.credit, figures.low)
    course = case.course(traffic)
    open_messages = course.open_messages if course is not None else 0
    filled = witness(course, traffic) if course is not None else None
    moments = None if filled is None else (filled.consumed_before, filled.consumed_when_full)
    aim = Aim(mechanism, limits, producers, traffic.size, bound.bytes, open_messages, figures.window, moments)
    found = attacks(adapter, aim, seeds)
    best: Attack = max(found, key=lambda each: each.reached)
    held = bounds.worst(case, traffic)
    return {
        "adapter": name,
        "version": f"{adapter.identity.name} {adapter.identity.version}",
        "mechanism": mechanism,
        "rules": version.words,
        "producers": producers,
        "message_bytes": traffic.size,
        "limit_bytes": figures.limit,
        "bound_bytes": bound.bytes,
        "documented_bound_bytes": documented.bytes,
        "model_reached_bytes": held.reached,
        "reached_bytes": best.reached,
        "reached_messages": best.messages,
        "ratio": round(best.reached / bound.bytes, 4) if bound.bytes else None,
        "strategy": best.strategy,
        "steps": list(best.steps),
        "strategies": {each.strategy: each.reached for each in found},
    }


def _version(name: str, adapter: Any, broker: str | None) -> Any:
    """The release of the stated bound: the requested release, else the adapter's version, else the documents."""
    from tidegate.explain.versions import BROKERS, Version, parse, version

    if broker is not None and (asked := parse(broker))[0]:
        return version(*asked)
    kind, _, release = name.removeprefix("built:").replace("artemis-core", "artemis").replace("-", ":").partition(":")
    if name.startswith("reference:"):
        kind = name.removeprefix("reference:").partition("-")[0]
        return Version(kind if kind in BROKERS else "qpid")
    if kind not in BROKERS:
        return Version("qpid")
    known = release or adapter.identity.version
    return version(kind, known if all(part.isdigit() for part in known.split(".")) else "")


def _figures(
    mechanism: str, file: Path | None, destination: str | None, given: dict[str, int], size: int, version: Any
) -> "Figures":
    from tidegate.explain.figures import Figures

    if file is not None:
        found = _of_file(mechanism, file, destination, size, version)
        return Figures(**{**asdict(found), **given})
    limit = given.get("limit", LIMIT * size)
    usual: dict[str, dict[str, int]] = {
        "queue-gate": {"resume": limit * RESUME // LIMIT},
        "amqp-credit": {"credit": CREDITS, "low": LOW},
        "core-window": {"window": WINDOW * size},
        "policies": {},
        "memory-limit": {},
        "suspended-connections": {},
    }
    return Figures(mechanism, **{"limit": limit, **usual[mechanism], **given})


def _of_file(mechanism: str, file: Path, destination: str | None, size: int, version: Any) -> "Figures":
    from tidegate.explain import explaining
    from tidegate.explain.figures import figures_of
    from tidegate.explain.vocabulary import Traffic

    wanted = (destination,) if destination else ()
    for read in explaining.read_file(file, str(file)):
        if explaining.version_of(read, "", "").broker != version.broker:
            continue
        for _, _, case in explaining.cases(read, version, Traffic(size=size), wanted):
            figures = figures_of(case)
            if figures is not None and figures.mechanism == mechanism:
                return figures
    what = f"{destination} " if destination else "a destination "
    raise BadInput(f"expected a configuration that limits {what}of {version.broker} by {mechanism}", file=file)


def _show(found: dict[str, Any], *, steps: bool) -> None:
    from tidegate.explain.sizes import shown

    ratio = found["reached_bytes"] / found["bound_bytes"] if found["bound_bytes"] else 0
    click.echo(f"{found['adapter']} ({found['version']}): {found['mechanism']}, {found['rules']}")
    click.echo(
        f"  {found['producers']} producers of {found['message_bytes']:,} bytes a message, "
        f"limit {shown(found['limit_bytes'])}"
    )
    click.echo(f"  stated bound   {shown(found['bound_bytes'])}")
    if found["documented_bound_bytes"] not in (None, found["bound_bytes"]):
        click.echo(f"  by documents   {shown(found['documented_bound_bytes'])}")
    click.echo(
        f"  reached        {shown(found['reached_bytes'])}, {found['reached_messages']:,} messages, "
        f"{100 * ratio:.1f} % of the bound, by: {found['strategy']}"
    )
    if found["reached_bytes"] > found["bound_bytes"]:
        click.echo("  PASSED: it held more than is stated")
    told = found["steps"][:MOST_STEPS] if steps else []
    for number, step in enumerate(told, 1):
        click.echo(f"    {number}. {step}")
    if steps and len(found["steps"]) > MOST_STEPS:
        click.echo(f"    and {len(found['steps']) - MOST_STEPS} more, which --json tells")


def _bytes(text: str | None, option: str) -> int | None:
    from tidegate.explain.sizes import size

    if text is None:
        return None
    found = size(text)
    if found is None or found < 1:
        raise BadInput(f"expected a size such as 2000, 10k or 512MiB, not {text!r}", field=option)
    return found
