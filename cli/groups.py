"""Groups of commands that list each with its whole first sentence, and say which one a wrong name was meant for."""

import difflib

import click

WHOLE = 1_000
"""Letters of a sentence beside a command: more than any has, for click cuts it short to what fits one line."""


class Group(click.Group):
    """A group whose help cuts no sentence short, and which answers a wrong name with the nearest right one."""

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
        return super().resolve_command(ctx, args)
