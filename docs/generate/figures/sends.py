"""Sends that wait, stepped ms by ms through the rules of a `Linker`."""

from collections.abc import Callable

from generate.figures.drawing import Figure, figure_text
from generate.figures.waits import Wait as Row
from generate.figures.waits import waits
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import andes, classic, qpid942, wait
from tidegate.model.mechanisms.classic import Destination, NoSpace
from tidegate.model.mechanisms.wait import NEVER, Wait

STRIDE_MS = 100
"""The jump of time while nothing falls due within it, in ms."""
LIMIT = 1000
"""The memory limit of the destination in bytes, which messages fill exactly."""
TIMEOUT_MS, FREED_MS, OVER_MS = 3000, 4000, 6000
QPID_WAIT = Wait(timeout_ms=60_000, notify_ms=5000)
"""The times of the chapter's example, since the document gives no default."""


def classic_sends(model: Linker = DOCUMENTED) -> Figure:
    """Sends to a full destination of ActiveMQ Classic under four configurations, until there is space."""
    default: NoSpace = model.default(classic, "DEFAULT_NO_SPACE")
    timeout = figure_text(TIMEOUT_MS)
    asked = (
        ("nothing configured", default),
        (f"sendFailIfNoSpaceAfterTimeout = {timeout}", NoSpace(fails_at_once=False, fails_after_ms=TIMEOUT_MS)),
        ("sendFailIfNoSpace = true", NoSpace(fails_at_once=True, fails_after_ms=NEVER)),
        ("both", NoSpace(fails_at_once=True, fails_after_ms=TIMEOUT_MS)),
    )
    sends = tuple(_classic(model, configured, no_space) for configured, no_space in asked)
    return waits("classic-sends", "A send to a full destination of ActiveMQ Classic", OVER_MS, sends, freed_ms=FREED_MS)


def qpid_client(model: Linker = DOCUMENTED) -> Figure:
    """A send of a Qpid client whose channel is blocked and stays so."""
    configured = f"a timeout of {figure_text(QPID_WAIT.timeout_ms)}, a notice every {figure_text(QPID_WAIT.notify_ms)}"
    send = _noticed(model, configured, QPID_WAIT)
    return waits("qpid-client", "A send of a Qpid client on a blocked channel", send.waited_ms, (send,))


def andes_client(model: Linker = DOCUMENTED) -> Figure:
    """A publish of an unconfigured WSO2 client whose channel stays blocked."""
    send = _noticed(model, "nothing configured", model.default(andes, "DEFAULT_WAIT"))
    return waits("andes-client", "A publish of a WSO2 client that is blocked", send.waited_ms, (send,))


def qpid942_sends(model: Linker = DOCUMENTED) -> Figure:
    """Sends of a blocked producer in the design of QPID-942, until management starts it."""
    throws = model.linked(qpid942.throws)

    def send(configured: str, blocks: bool) -> Row:
        return _until(configured, lambda ms: throws(blocks, ms < FREED_MS, ms), lambda ms: ms >= FREED_MS)

    sends = (send("a client not configured", False), send("a client told to block", True))
    return waits(
        "qpid942-sends", "A send of a blocked producer in the design of QPID-942", OVER_MS, sends, freed_ms=FREED_MS
    )


def _classic(model: Linker, configured: str, no_space: NoSpace) -> Row:
    failed, held = model.linked(classic.failed), model.linked(classic.holds_back)
    removed = model.linked(classic.after_removal)
    full = Destination(LIMIT, controlled=True, bytes=LIMIT)
    freed = removed(full, 1)

    def destination(ms: int) -> Destination:
        return freed if ms >= FREED_MS else full

    return _until(configured, lambda ms: failed(no_space, destination(ms), ms), lambda ms: not held(destination(ms)))


def _until(configured: str, fails: Callable[[int], bool], goes: Callable[[int], bool]) -> Row:
    """Step a send ms by ms until it fails or is stored."""
    for ms in range(OVER_MS + 1):
        if fails(ms):
            return Row(configured, ms, "fails")
        if goes(ms):
            return Row(configured, ms, "is stored")
    return Row(configured, OVER_MS, "waits on")


def _noticed(model: Linker, configured: str, times: Wait) -> Row:
    """Step a send that nothing frees, at most for twice its timeout: ms by ms where something falls due."""
    due, noticed = model.linked(wait.notice_due), model.linked(wait.after_notice)
    passed, gives_up = model.linked(wait.after_time), model.linked(wait.gives_up)
    waiting = model.linked(wait.begun)(times)
    notices: list[int] = []
    longest = 2 * times.timeout_ms
    while waiting.waited_ms < longest:
        later = passed(waiting, STRIDE_MS)
        waiting = passed(waiting, 1) if due(times, later) or gives_up(times, later) else later
        if due(times, waiting):
            notices.append(waiting.waited_ms)
            waiting = noticed(times, waiting)
        if gives_up(times, waiting):
            return Row(configured, waiting.waited_ms, "fails", tuple(notices))
    return Row(configured, longest, "waits on", tuple(notices))
