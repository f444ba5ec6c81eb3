"""`python -m headgate.cli` is the `headgate` command."""

from headgate.cli.main import main

main()
