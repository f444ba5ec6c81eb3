"""What the tools of other projects load from headgate by entry point: flags of tox, and items of pytest."""
