"""The worst case of a destination with its witness, and the limit that keeps the worst case within a target."""

from dataclasses import replace
from functools import lru_cache

from tidegate.explain.bounds.artemis import Amqp, Core, Paging
from tidegate.explain.bounds.classic import Memory, Shared
from tidegate.explain.bounds.never_stopped import Open, Refusing
from tidegate.explain.bounds.qpid import Gate, Policy
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import goes_on, witness

Case = Amqp | Core | Gate | Policy | Memory | Shared | Refusing | Paging | Open


@lru_cache(maxsize=4096)
def worst(case: Case, traffic: Traffic) -> Bound:
    """The bound with its witness: the steps that reach the bound, run on the mechanism by the rules of the version."""
    if not traffic.with_steps:
        return case.bound(traffic)
    bound = case.bound(traffic)
    if isinstance(case, Core):
        traffic = case.as_charged(traffic)
    course = case.course(traffic)
    if course is None:
        return bound
    if bound.bytes is None:
        run = goes_on(course, traffic)
        steps = (*run.steps, f"after k messages {traffic.size:,} x k bytes are stored, and nothing has stopped it")
        proved = (
            ("EB-T10",) if isinstance(case, Open | Refusing) or not getattr(case, "controlled", True) else ("EB-T11",)
        )
        return replace(bound, witness=steps, reached=run.bytes, proved=proved)
    found = witness(course, traffic)
    return bound if found is None else replace(bound, witness=found.steps, reached=found.bytes)


def solved(case: Case, traffic: Traffic, target: int) -> int | None:
    """The highest limit, in bytes, that keeps the worst case within a target in bytes; None if no limit does."""

    def keeps(limit: int) -> bool:
        worst = case.with_limit(limit).bound(traffic).bytes
        return worst is not None and worst <= target

    if not keeps(1):
        return None
    low, high = 1, target + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    return low
