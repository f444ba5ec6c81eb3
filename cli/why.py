"""`tidegate why`: reads lines of any broker's or client's log, and says why a producer is blocked."""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from lzma import LZMAError
from typing import Any, BinaryIO

import click

from tidegate.record.errors import BadInput, ExitCode

OF_A_MINUTE = re.compile(r"(?:^|[T ])\d{1,2}:\d\d$")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1)
@click.option("--broker", "url", metavar="URL",
              help="Ask a running broker instead: its console, such as http://localhost:8161.")  # fmt: skip
@click.option("--user", default="", metavar="NAME:PASSWORD", help="A user that may read the broker's management.")
@click.option("--at", "at", metavar="TIME", help="The state at this time: 19:44:42 or 2026-11-21T19:44:42+01:00.")
@click.option("--queue", default="", metavar="NAME", help="Only this queue, address or destination.")
@click.option("--client", default="", metavar="NAME", help="Only clients with this text in their name.")
@click.option("--date", "day", metavar="DATE", help="The day of lines whose time has no date: 2026-11-21.")
@click.option("--zone", "zone_names", multiple=True, metavar="[LOG=]ZONE",
              help="The zone of times without a zone, in one log or in all: Europe/Berlin, UTC or +01:00.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.pass_context
def why(
    context: click.Context,
    paths: tuple[str, ...],
    url: str | None,
    user: str,
    at: str | None,
    queue: str,
    client: str,
    day: str | None,
    zone_names: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say why a producer is blocked, from lines of a log of any broker or client; - reads pasted lines.

    One line is enough, also without a time. If the lines do not show the cause, the answer says what to ask the broker.
    With --broker the command asks the broker's management over HTTP: by Jolokia (Artemis, Classic), REST (Broker-J), or
    the management plugin (RabbitMQ). With a configuration beside the logs (broker.xml, activemq.xml, virtualhosts.xml,
    the JSON of Broker-J) the answer names the line that sets the limit.

    PATH is a log, a configuration or a folder. The command reads the logs (*.log, also rotated or packed) and the
    configurations in a folder and below it, and ignores other files there.

    Exit codes: 0 answered, 2 bad input, 3 the lines do not show the cause.
    """
    from tidegate.cli.why_files import PASTED, files, given
    from tidegate.pages.lines import columns
    from tidegate.why import zones
    from tidegate.why.answer import Asked, State, answer
    from tidegate.why.ask.asking import ask
    from tidegate.why.decoding import opened
    from tidegate.why.ends import end
    from tidegate.why.heard import Setting
    from tidegate.why.reading import read
    from tidegate.why.show import shown
    from tidegate.why.times import stamp

    there = given(paths)
    if there.broken and not there.logs and not url:
        raise there.broken[0]
    if bool(there.logs) is bool(url):
        configured = ", ".join(there.configurations)
        alone = (
            f"{configured}: a configuration alone does not show who is blocked, tidegate explain reads it; "
            if configured
            else ""
        )
        raise BadInput(
            f"{alone}expected logs, - to paste lines, or --broker URL; a configuration may be given with each of these"
        )
    if url and at is not None:
        raise BadInput("expected logs, because a running broker knows only its present state", field="--at")
    places = zones.zones(zone_names)
    places |= {log: places[folder] for log, folder in there.folder_of.items() if folder in places and log not in places}
    written = {log: zones.written(log) for log in there.logs if log != PASTED}
    setting = Setting(zones.day(day), places, written, frozenset(there.folder_of))
    asked_at = f"{at}:00" if at is not None and OF_A_MINUTE.search(at) else at or ""
    time = stamp(asked_at) if at is not None else None
    if at is not None and (time is None or time[1] != len(asked_at)):
        raise BadInput(f"expected a time such as 19:44, 19:44:42 or 2026-11-21T19:44:42, not {at!r}", field="--at")
    if user and ":" not in user:
        user += ":" + click.prompt(f"Password of {user}", hide_input=True, err=True)
    log = ask(url, user) if url else _read(read, files(there, opened), setting)
    log.left_out += there.left_out
    if time is not None and log.heard and all(heard.time is None for heard in log.heard):
        raise BadInput("expected lines with times, because --at asks for a time", field="--at")
    last = end(time[0], [heard.time for heard in log.heard if heard.time]).within(places.get("")) if time else None
    said = there.said()
    result = answer(log, Asked(queue, client, last, places.get(""), said, tuple(there.folders)))
    click.echo(json.dumps(asdict(result), indent=2, ensure_ascii=False) if as_json else shown(result, columns()))
    if there.broken:
        raise there.broken[0]  # the logs have told all they can without the configuration
    context.exit(ExitCode.OK if result.state in (State.BLOCKED, State.NOT_BLOCKED) else ExitCode.UNKNOWN)


def _read(read: Any, files: Iterator[tuple[str, BinaryIO]], setting: Any) -> Any:
    try:
        return read(files, setting)
    except (OSError, EOFError, zlib.error, LZMAError) as error:
        raise BadInput(f"expected logs that can be read to their end, but {error}") from None
