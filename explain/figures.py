"""The figures of a mechanism, from a configuration or from options, and the mechanism for which a bound is computed."""

from dataclasses import dataclass

from tidegate.explain import bounds
from tidegate.explain.versions import CORE, Version
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.qpid import NOT_SET
from tidegate.record.errors import BadInput


@dataclass(frozen=True)
class Figures:
    """The configuration of a destination: levels and window in bytes, credits in messages; None if not set."""

    mechanism: str
    """The capability that an adapter claims: amqp-credit, core-window, queue-gate, policies or memory-limit."""
    limit: int
    resume: int | None = None
    reject: int | None = None
    credit: int | None = None
    low: int | None = None
    window: int | None = None


def figures_of(case: bounds.Case) -> Figures | None:
    """The figures of a configured mechanism; None for a mechanism without a limit that stops producers."""
    match case:
        case bounds.Amqp(limits, window):
            reject = None if limits.reject_threshold == NO_LIMIT else limits.reject_threshold
            return Figures("amqp-credit", limits.max_size, None, reject, window.size, window.low)
        case bounds.Core(limits, window):
            return Figures("core-window", limits.max_size, window=window)
        case bounds.Gate(queue):
            resume = None if queue.resume == NOT_SET else queue.resume
            return Figures("queue-gate", queue.capacity, resume)
        case bounds.Memory(limit, controlled) if controlled:
            return Figures("memory-limit", limit)
    return None


def case_of(figures: Figures, version: Version) -> bounds.Case:
    """The mechanism with these figures, by the rules of a version. BadInput if a figure is missing."""
    model = version.model()
    limits = AddressLimits(figures.limit, NO_LIMIT if figures.reject is None else figures.reject, blocks=True)
    if figures.mechanism == "amqp-credit" and figures.credit is not None and figures.low is not None:
        return bounds.Amqp(limits, Window(figures.credit, figures.low), model=model)
    if figures.mechanism == "core-window" and figures.window is not None:
        return bounds.Core(limits, figures.window, model=version.model(CORE))
    if figures.mechanism == "queue-gate":
        levels = qpid.Limits(figures.limit, NOT_SET if figures.resume is None else figures.resume)
        in_force = model.linked(qpid.effective_limits)(levels, qpid.Limits())
        return bounds.Gate(qpid.Queue(in_force.capacity, in_force.resume, 0), model=model)
    if figures.mechanism == "policies":
        return bounds.Policy(figures.limit, model)
    if figures.mechanism in ("memory-limit", "suspended-connections"):
        return bounds.Memory(figures.limit, model=model)
    raise BadInput(f"expected every figure of {figures.mechanism}: a window or credits are missing")
