"""`python -m tidegate.cli` is the `tidegate` command."""

from tidegate.cli.main import main

main()
