"""The `tidegate` command group. Subcommands are imported when used, so that `tidegate --help` is fast."""

import gc
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any

import click

from tidegate.cli.groups import Group
from tidegate.cli.output import Output
from tidegate.record.errors import ExitCode, Interrupted, TidegateError
from tidegate.record.version import VERSION

FAMILIES = {
    "Operate a broker": {
        "why": "Say why a producer is blocked, from a log, pasted lines or a running broker.",
        "explain": "Say what a broker's configuration does to producers.",
        "trace": "Check broker logs and traces, once or as they grow.",
        "sweep": "Compare configurations on the model: overshoot, and time blocked.",
        "attack": "Fill a destination as far as a broker lets producers.",
    },
    "Test a broker or a client": {
        "run": "Run the suite on an implementation and report.",
        "report": "Show, render and check the report of a run.",
        "matrix": "Compare implementations and versions, rule by rule.",
        "diff": "Say what changed between two reports or implementations.",
        "bisect": "Find between which versions of a broker a verdict changes.",
        "adapter": "Write an adapter, and try each of its verbs.",
    },
    "Read what is promised": {
        "spec": "Read the specification: rules, settings, sources.",
        "prove": "Prove every theorem, and refute every false claim.",
    },
    "Change tidegate": {
        "built": "Show and check the models of released versions.",
        "vectors": "Write or check the boundary vectors.",
        "mutants": "Change each rule, and see whether a check notices.",
        "strength": "Count the faulty brokers that the suite finds.",
    },
}
"""Each command with one sentence, grouped by its users."""
COMMANDS = tuple(name for family in FAMILIES.values() for name in family)


class LazyGroup(Group):
    """A group whose commands are named here and loaded on use from `tidegate.cli.NAME:NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"tidegate.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an end by the user's hand must not look like a verdict, as click's own exit code 1 would."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError as error:
            if Output.nobody_reads():
                raise
            raise ConnectionError(f"not of the output: {error}") from error
        except OSError as error:
            from tidegate.cli.paths import fault_of_the_system

            raise fault_of_the_system(error, ctx) or error from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by their users, without loading any."""
        widest = max(map(len, COMMANDS))
        for family, commands in FAMILIES.items():
            with formatter.section(family):
                formatter.write_dl([(name.ljust(widest), sentence) for name, sentence in commands.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="tidegate")
def cli() -> None:
    """What message brokers promise about producer flow control: read it, prove it, run it, check it in logs.

    Exit codes: 0 kept or as declared, 1 violated, 2 bad input or something missing, 3 unknown, 4 tidegate failed.
    """


COMPLETES = "_TIDEGATE_COMPLETE"
"""The variable that a shell sets when it asks for completions, by click's convention."""
OBJECTS_UNTIL_COLLECTION = 100_000
"""The number of new objects between two garbage collections."""


def _not_of_a_killed_pool(failed: threading.ExceptHookArgs) -> None:
    """Print the error of a thread, but no error of a pool whose processes were killed while the pool still waited."""
    from concurrent.futures import InvalidStateError

    if not issubclass(failed.exc_type, InvalidStateError):
        threading.__excepthook__(failed)


def _kill_starting() -> None:
    """Kill the processes that `multiprocessing` has begun to start and does not list yet."""
    import psutil

    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if "--multiprocessing-fork" in child.cmdline():
                child.kill()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """End all processes that work for this one, since its end would wait for them, and interrupt this one."""
    if "multiprocessing" in sys.modules:
        threading.excepthook = _not_of_a_killed_pool
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
        _kill_starting()
    raise KeyboardInterrupt


def main() -> None:
    """Run the command; an error that a user can repair is one sentence on stderr."""
    # libraries and rules live as long as the command, so garbage collection among them only takes time
    gc.set_threshold(OBJECTS_UNTIL_COLLECTION)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    output = Output()
    if COMPLETES in os.environ:
        from tidegate.cli.completion import register

        register()
    try:
        try:
            cli(prog_name="tidegate")
        finally:
            output.finish()
    except BrokenPipeError:
        sys.exit(Output.EXIT_CODE)
    except (TidegateError, KeyboardInterrupt) as error:
        end = error if isinstance(error, TidegateError) else Interrupted()
        if isinstance(end, Interrupted):
            # a second Ctrl-C must not break off the sentence
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        for sentence in end.sentences:
            click.echo(f"tidegate: {sentence}", err=True)
        sys.exit(end.exit_code)
    except Exception:  # anything else is a defect of tidegate: it is shown whole, and never ends like a violation
        traceback.print_exc()
        sys.exit(ExitCode.HARNESS)
    finally:
        # the end of a process frees its memory; Python would walk all of it first
        gc.freeze()
