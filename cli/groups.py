"""Groups of commands: their help shows whole first sentences, and a wrong name gets the nearest right name."""

import difflib

import click

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
        return super().resolve_command(ctx, args)
