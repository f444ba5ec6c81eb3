"""The store of events on disk: one piece for each split, incremental, and consistent after any interruption."""
