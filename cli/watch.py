"""`tidegate trace watch`: broker logs judged as they grow."""

import sys
from pathlib import Path
from threading import Event

import click

from tidegate.cli.extras import require_logs
from tidegate.cli.paths import WRITTEN_FOLDER, NamedInText

DEFAULT_REPORT = Path("tidegate-watch")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=NamedInText(path_type=Path))
@click.option("--report", "folder", type=WRITTEN_FOLDER, default=DEFAULT_REPORT,
              show_default=True, help="Folder for the alerts, the report, and what a restart needs.")  # fmt: skip
@click.option("--stopped-longer-than", "stopped", type=click.FloatRange(min=0), default=60, show_default=True,
              help="Seconds after which an alert tells that a producer is still blocked.")  # fmt: skip
@click.option("--room-longer-than", "room", type=click.FloatRange(min=0), default=10, show_default=True,
              help="Seconds after which an alert tells that a producer is blocked although its destination "
                   "has room.")  # fmt: skip
@click.option("--every", type=click.FloatRange(min=0.1), default=10, show_default=True,
              help="Seconds between two looks at the logs.")  # fmt: skip
@click.option("--once", is_flag=True, help="Judge the new lines, show the verdicts on all lines so far, and end.")
@click.option("--stop-after", "looks", type=click.IntRange(min=1), help="End after this number of looks at the logs.")
@click.option("--prometheus", metavar="[HOST:]PORT",
              help="Serve metrics at this port instead of judging; without HOST to this machine alone.")  # fmt: skip
@click.option("--otlp", metavar="URL", help="Send metrics to this collector of OpenTelemetry instead of judging.")
@click.option("--most-destinations", "most", type=click.IntRange(min=1), default=100, show_default=True,
              help="Destinations with metrics of their own; all others are summed as 'other'.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Print only alerts; with metrics, only warnings and errors.")
@click.pass_context
def watch(
    context: click.Context, paths: tuple[Path, ...], folder: Path, stopped: float, room: float, every: float,
    once: bool, looks: int | None, prometheus: str | None, otlp: str | None, most: int, quiet: bool,
) -> None:  # fmt: skip
    """Judge broker logs as they grow, and print an alert for each violated rule and each producer blocked for long.

    PATH is the log of a broker, or a folder with logs. The command prints each alert on one line, and appends it to
    alerts.jsonl. An alert is a violated rule, a line that cannot be read, a producer that is blocked for long, or a
    producer that is still blocked although its destination has room. A second watch with the same folder judges only
    new lines.

    With --prometheus or --otlp, the command judges nothing and writes no file. It gives metrics about the blocked
    producers and their time, until Ctrl-C or SIGTERM ends it with exit code 0.
    """
    if prometheus is not None or otlp is not None:
        from tidegate.cli.metrics import refuse_what_only_judges, watch_metrics

        refuse_what_only_judges(context)
        watch_metrics(paths, prometheus, otlp, most, every, looks, quiet=quiet)
        return
    require_logs("plain")
    from rich.console import Console

    from tidegate.catalogue import catalogue
    from tidegate.pipeline.report import terminal
    from tidegate.pipeline.stream.following import looks as at_looks
    from tidegate.pipeline.stream.keeping import only_watch_in
    from tidegate.pipeline.stream.logs import watched
    from tidegate.pipeline.stream.overdue import Patience
    from tidegate.pipeline.stream.watch import Watch, known_in

    patience = Patience(stopped_ms=round(1000 * stopped), room_ms=round(1000 * room))
    with only_watch_in(folder):
        found = watched(paths, known_in(folder))
        left_out = [str(error) for error in found.refused]
        for sentence in left_out:
            click.echo(f"tidegate: {sentence}", err=True)
        over = Watch(found.inputs, folder, catalogue(), patience, lambda alert: click.echo(str(alert)), left_out)
        try:
            for wall in at_looks(Event(), every, 1 if once else looks):
                over.look(wall)
        except KeyboardInterrupt:
            click.echo("tidegate: stopped; the same command goes on from here", err=True)
        report = over.report()
    terminal.show(report, Console(quiet=quiet))
    sys.exit(report.exit_code)
