"""The lab: one scenario on one implementation.

Each module adds verbs to the modules before it: scene (names and calls), looking, waiting, traffic, clients,
limiting and shown, then consuming, sending and faults. `lab` puts these together and declares destinations.
`messages` keeps account of where each message should be, and `figures` scales bytes.

Figures in bytes are the suite's own; the lab multiplies them by the adapter's scale. It records every verb call
(for reproducers), every event (for the trace), and what a check expected and saw (for the report). All waiting is
in `comes_to` and `stays`.
"""

from tidegate.conformance.lab.lab import Lab

__all__ = ["Lab"]
