"""The store: what was read, on disk, one piece for each split; incremental, and whole after any interruption."""
