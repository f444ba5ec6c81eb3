"""The lab: one scenario on one implementation.

Each module adds verbs to those before it: scene (names, figures and calls), looking, waiting, clients, limiting; then
consuming, declaring, sending and faults, which lab puts together.

Figures in bytes are the suite's own; the lab multiplies them by the adapter's scale. It records every verb call
(for reproducers), every event (for the trace), and what a check expected and saw (for the report). All waiting is
in `comes_to` and `stays`.
"""

from tidegate.conformance.lab.lab import Lab

__all__ = ["Lab"]
