"""The options for the detail of a printed report."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tidegate.conformance.report.terminal import Detail


def detail_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --verbose and --quiet to a command."""
    command = click.option("-q", "--quiet", is_flag=True, help="Print one line with the counts and the exit code.")(
        command
    )
    return click.option("-v", "--verbose", is_flag=True, help="List every rule, also those kept or not claimed.")(
        command
    )


def detail_of(*, verbose: bool, quiet: bool) -> "Detail":
    """The detail that the two options ask for. UsageError for both at once."""
    from tidegate.conformance.report.terminal import Detail

    if verbose and quiet:
        raise click.UsageError("--verbose and --quiet exclude each other")
    return Detail.EVERY_RULE if verbose else Detail.ONE_LINE if quiet else Detail.NOT_KEPT
