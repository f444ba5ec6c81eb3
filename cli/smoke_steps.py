"""The walk through an adapter on a terminal: each step as it happens, and at the end the first thing to repair."""

from shlex import quote

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.smoke import Step
from tidegate.pages.lines import print_line
from tidegate.pages.tables import WithoutPadding


class Steps:
    """Prints each step with what was asked, answered and expected."""

    def __init__(self, console: Console):
        self._console = console
        self._taken = 0
        self.fixes: list[str] = []
        """The things to repair, in the order in which they were found."""

    def begin(self, name: str) -> None:
        """Begin the walk through this adapter."""
        self._taken = 0
        self._console.print(Text(name, style="bold"))

    def take(self, step: Step) -> None:
        """Print one step."""
        self._taken += 1
        sign = ("✓ ", "green") if step.as_expected else ("✗ ", "bold red")
        print_line(Text.assemble(sign, step.asked), self._console)
        same = step.answer == step.expected
        fields = {"answered": f"{step.answer}, as expected" if same else step.answer}
        fields |= {"expected": "" if same else step.expected, "fix": step.fix}
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=10, justify="right", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in fields.items():
            if value:
                grid.add_row(Text(name, style="dim"), Text(value, style="" if step.fix else "dim"))
        self._console.print(WithoutPadding(grid))
        if step.fix:
            self.fixes.append(step.fix)

    def end(self, name: str) -> None:
        """Print the next thing to do."""
        if self.fixes:
            self._console.print(Text.assemble(("First: ", "bold"), self.fixes[0]))
        else:
            words = f"{self._taken} steps, all as expected. Next: tidegate run --adapter {quote(name)}"
            print_line(Text(words, style="green"), self._console)
