"""Runs of the reference model over grids of configurations: how far past a limit, and how long stopped."""
