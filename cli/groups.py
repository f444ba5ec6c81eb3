"""Groups of commands that say which command may have been meant."""

import difflib

import click


class Group(click.Group):
    """A group that names the nearest command where there is none of a name, in every version of click."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}." + "".join(f" Did you mean {each!r}?" for each in near))
        return super().resolve_command(ctx, args)
