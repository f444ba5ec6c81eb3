"""Checks that no send of a free producer still waits."""

from collections.abc import Iterable

from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import SettlesLate
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.presupposed import goes_on_by


def expect_no_send_to_wait(lab: Lab, names: Iterable[str]) -> None:
    """Raise Deviation if a message of one of these producers still waits although the producer is free.

    Nothing is checked on a real clock, where an answer may be on its way.
    """
    if not lab.clock_is_virtual or offered(lab.adapter, SettlesLate) is None:
        return
    waiting = [
        name
        for name in names
        if not lab.is_transacted(name) and lab.unanswered(name) and not lab.standing(name).stopped
        if lab.unanswered(name)
    ]
    if waiting:
        seen = f"a waiting message of {', '.join(waiting)}"
        rule = goes_on_by(lab.adapter.capabilities)
        raise Deviation("no waiting message of a free producer", seen, rules=(rule,))


def expect_calls_to_return(lab: Lab, names: Iterable[str]) -> None:
    """Raise Deviation if a send still waits although its producer is free, in the middle of a scenario.

    Only producers whose calls each wait for an answer are looked at.
    """
    expect_no_send_to_wait(lab, [name for name in names if name in lab.producers and lab.waits_for_each_answer(name)])
