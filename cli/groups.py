"""Groups of commands: their help shows whole first sentences, a wrong name gets the nearest right name, and an option
that takes one value is refused when it is given twice.
"""

import difflib
from collections import Counter

import click

from tidegate.record.errors import BadInput

WHOLE = 1_000
"""The most letters of a command's sentence: more than any has, since click cuts a sentence that is longer than its
limit."""


class Group(click.Group):
    """A group of commands: its help cuts no sentence, and a wrong name gets the nearest right name."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with the first sentence of its help, on as many lines as the sentence takes."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(WHOLE)) for name, each in commands if each is not None])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}." + "".join(f" Did you mean {each!r}?" for each in near))
        found, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            _refuse_repeated(click.Context(command, info_name=found, parent=ctx), rest)
        return found, command, rest


def _refuse_repeated(ctx: click.Context, args: list[str]) -> None:
    """BadInput if an option that takes one value is given several times; click would silently take the last value."""
    command = ctx.command
    if isinstance(command, click.Group):
        return
    _, _, given = command.make_parser(ctx).parse_args(list(args))
    for option, times in Counter(given).items():
        takes_one = isinstance(option, click.Option) and not (option.multiple or option.is_flag or option.count)
        if takes_one and times > 1:
            raise BadInput(f"{option.opts[-1]} takes one value, and was given {times} times")
