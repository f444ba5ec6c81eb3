"""The metrics of `tidegate trace watch`, and the dashboard that shows them."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from types import FrameType

import click

from tidegate.cli.extras import require_metrics
from tidegate.record.errors import BadInput

NOT_WITH_METRICS = ("folder", "stopped", "room", "once")
"""The options of a watch that judges; a watch for metrics saves nothing and judges nothing."""


@click.command()
def dashboard() -> None:
    """Print a dashboard for Grafana, as JSON, over the metrics of `tidegate trace watch --prometheus`."""
    from importlib.resources import files

    click.echo((files("tidegate.pipeline.metrics") / "dashboard.json").read_text(encoding="utf-8"), nl=False)


def watch_metrics(
    paths: tuple[Path, ...], prometheus: str | None, otlp: str | None, most: int, every: float, looks: int | None,
    *, quiet: bool,
) -> None:  # fmt: skip
    """Serve and send the metrics of logs until a signal ends the command, or for `looks` looks. Raises BadInput."""
    with _ended_by_signal() as over:
        require_metrics()
        # tables are small here: more threads take memory and save no time
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
        from tidegate.pipeline.metrics.growing import MetricsWatch
        from tidegate.pipeline.stream.following import looks as at_looks
        from tidegate.pipeline.stream.logs import watched

        address = endpoint = None
        if prometheus is not None:
            from tidegate.pipeline.metrics.prometheus import address_of, served

            address = address_of(prometheus)
        if otlp is not None:
            from tidegate.pipeline.metrics.otlp import endpoint_of, exported

            endpoint = endpoint_of(otlp)
        found = watched(paths, {})
        watch = MetricsWatch(found.inputs, most)
        for error in found.refused:
            _say(str(error))
        with ExitStack() as stack:
            if address is not None:
                url = stack.enter_context(served(address, watch.seen))
                _say(f"metrics are served at {url}", quiet=quiet)
            if endpoint is not None:
                stack.enter_context(exported(endpoint, watch.seen, 1000 * every, _say))
                _say(f"metrics are sent to {endpoint}", quiet=quiet)
            for _ in at_looks(over, every, looks):
                for sentence in watch.look(over.is_set):
                    _say(sentence)


def refuse_what_only_judges(context: click.Context) -> None:
    """Raise BadInput where an option is given that has no effect on a watch with metrics."""
    for parameter in context.command.params:
        given = parameter.name and context.get_parameter_source(parameter.name)
        if parameter.name in NOT_WITH_METRICS and given is click.core.ParameterSource.COMMANDLINE:
            raise BadInput(f"expected no {parameter.opts[0]} with --prometheus or --otlp, because these write no file")


def _say(sentence: str, *, quiet: bool = False) -> None:
    if not quiet:
        click.echo(f"tidegate: {sentence}", err=True)


@contextmanager
def _ended_by_signal() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set while the block runs: a watch has no other end, so neither signal is a
    failure."""
    over = Event()

    def end(number: int, frame: FrameType | None) -> None:
        over.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield over
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
