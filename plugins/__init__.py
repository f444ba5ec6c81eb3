"""What the tools of other projects load from tidegate by entry point: flags of tox, and items of pytest."""
