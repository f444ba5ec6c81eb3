"""Credit, windows, memory and rates of the model, stepped message by message through the rules of a `Linker`."""

from collections.abc import Sequence
from itertools import pairwise

from generate.figures.drawing import Figure, figure_text
from generate.figures.steps import Course, Event, Step, Threshold, drawn, stretches
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import andes, artemis, artemis_consumer, classic, rate
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.artemis_consumer import Consumer
from tidegate.model.mechanisms.core_window import CoreSettings, core_window
from tidegate.model.mechanisms.memory_ratio import MemorySettings, memory_ratio
from tidegate.record.counts import counted

PRODUCER = "A"
SIZE = 1000
"""The bytes of an AMQP message."""
MAX_SIZE = 150_000
AFTERWARDS = 30
"""The number of messages that a released producer sends at the end of a course."""
LONGEST = 1000
"""The most steps of a course that does not end by itself."""
CORE_SIZE, CORE_MAX_SIZE, CORE_WINDOW = 100, 1000, 300
TOTAL, ANDES_SIZE = 1000, 10
WINDOW, PIECE = 1000, 200
PER_SECOND, EVERY_MS, SECONDS = 10, 50, 3


def amqp(model: Linker = DOCUMENTED) -> Figure:
    """The credit of an AMQP producer of Artemis, until its address is full, and until it is issued credit again."""
    mechanism, window = amqp_credit(model), model.default(artemis, "DEFAULT_WINDOW")
    settings = AddressSettings(AddressLimits(MAX_SIZE, NO_LIMIT, blocks=True), window)
    is_full, spent = model.linked(artemis.full), model.linked(artemis.after_send)
    producer = artemis.ProducerName(PRODUCER)
    state = mechanism.after_attach(mechanism.empty(settings), PRODUCER)
    issued = state.address.credits[producer]
    steps, events = [Step(issued, False, 0)], [Event(0, ("0 sent", f"issued {figure_text(issued)} credits"))]
    sent, full_at, low = 0, None, None
    while mechanism.may_send(state, PRODUCER, SIZE) and sent < LONGEST:
        left = spent(state.address, producer, SIZE).credits[producer]
        state, sent = mechanism.after_send(state, PRODUCER, SIZE), sent + 1
        after = state.address.credits[producer]
        steps.append(Step(left, not mechanism.may_send(state, PRODUCER, SIZE), sent))
        if after > left:
            low = left
            steps.append(Step(after, False, sent))
            events.append(
                Event(len(steps) - 1, (f"{sent} sent", f"{left} credits left: issued up to {figure_text(after)}"))
            )
        if full_at is None and is_full(settings.limits, mechanism.level(state)):
            full_at = sent
            events.append(
                Event(len(steps) - 1, (f"{sent} sent", "the address is full: nothing more is issued"), bad=True)
            )
    over = mechanism.level(state) - MAX_SIZE
    blocked = f"no credit left: blocked, {figure_text(over)} bytes past the limit"
    events.append(Event(len(steps) - 1, (f"{sent} sent", blocked), bad=True))
    taken = 0
    while not mechanism.may_send(state, PRODUCER, SIZE) and taken < sent:
        state, taken = mechanism.after_removal(state, PRODUCER, SIZE), taken + 1
    again = state.address.credits[producer]
    steps += [Step(0, True, sent + taken), Step(again, False, sent + taken)]
    events.append(Event(len(steps) - 1, (f"{taken} taken", f"issued up to {figure_text(again)}: released")))
    for more in range(1, AFTERWARDS + 1):
        state = mechanism.after_send(state, PRODUCER, SIZE)
        steps.append(Step(state.address.credits[producer], False, sent + taken + more))
    more_at = f" Each time {low} are left, more are issued." if low is not None else ""
    described = (
        f"A producer is issued {figure_text(issued)} credits.{more_at} At {figure_text(MAX_SIZE)} "
        "bytes the address is full and nothing more is issued; the producer sends "
        f"{sent - (full_at or 0)} messages more on what it has, {figure_text(over)} bytes past the limit, and is "
        f"blocked. Once {taken} messages are taken, it holds {figure_text(again)} credits again."
    )
    thresholds = [Threshold(issued, "issued")]
    if low is not None:
        thresholds.append(Threshold(low, "more is issued", above=False))
    return drawn(
        Course(
            name="amqp-credit",
            title=f"AMQP credit, max-size-bytes {figure_text(MAX_SIZE)}, messages of {figure_text(SIZE)} bytes",
            describes=described,
            of="credits left",
            along="messages sent, then taken",
            steps=tuple(steps),
            thresholds=tuple(thresholds),
            events=tuple(events),
        )
    )


def core(model: Linker = DOCUMENTED) -> Figure:
    """The credit in bytes of a Core producer of Artemis that asks for what it lacks."""
    mechanism, producer = core_window(model), artemis.ProducerName(PRODUCER)
    settings = CoreSettings(AddressLimits(CORE_MAX_SIZE, NO_LIMIT, blocks=True), CORE_WINDOW)
    state = mechanism.after_attach(mechanism.empty(settings), PRODUCER)
    steps, events, grants, sent = [Step(0, False, 0)], [], [], 0
    while sent < LONGEST:
        before = state.address.credits[producer]
        state = mechanism.after_request(state, PRODUCER, CORE_SIZE)
        after = state.address.credits[producer]
        if not mechanism.may_send(state, PRODUCER, CORE_SIZE):
            break
        if after > before:
            grants.append(after - before)
            steps.append(Step(after, False, sent))
            granted = f"asks for credit, is granted {figure_text(after - before)}"
            events.append(Event(len(steps) - 1, (f"{sent} sent", granted)))
        state, sent = mechanism.after_send(state, PRODUCER, CORE_SIZE), sent + 1
        steps.append(Step(state.address.credits[producer], False, sent))
    level = mechanism.level(state)
    steps.append(Step(state.address.credits[producer], True, sent))
    events.append(Event(len(steps) - 1, (f"{sent} sent", "asks for credit, is granted none: blocked"), bad=True))
    taken = 0
    while not mechanism.may_send(state, PRODUCER, CORE_SIZE) and taken < sent:
        state, taken = mechanism.after_removal(state, PRODUCER, CORE_SIZE), taken + 1
        state = mechanism.after_request(state, PRODUCER, CORE_SIZE)
    last = state.address.credits[producer]
    steps += [Step(steps[-1].value, True, sent + taken), Step(last, False, sent + taken)]
    events.append(Event(len(steps) - 1, (f"{taken} taken", f"is granted {figure_text(last)}: released")))
    state = mechanism.after_send(state, PRODUCER, CORE_SIZE)
    steps.append(Step(state.address.credits[producer], False, sent + taken + 1))
    described = (
        f"A producer with a window of {CORE_WINDOW} bytes asks for credit whenever its next message of {CORE_SIZE} "
        f"bytes finds too little. It is granted {figure_text(grants[0])} bytes as long as these fit the address, and "
        f"{figure_text(grants[-1])} the last time. With {figure_text(level)} bytes in the address it is granted none "
        f"and is blocked. Once {counted(taken, 'messages')} left it, the producer is granted {figure_text(last)} bytes."
    )
    words = {grants[-1]: "the last grant", grants[0]: "granted"}
    return drawn(
        Course(
            name="core-credit",
            title=f"Core credit, window {CORE_WINDOW} bytes, max-size-bytes {figure_text(CORE_MAX_SIZE)}",
            describes=described,
            of="bytes of credit left",
            along="messages sent, then taken",
            steps=tuple(steps),
            thresholds=tuple(Threshold(grant, word) for grant, word in words.items()),
            events=tuple(events),
        )
    )


def andes_memory(model: Linker = DOCUMENTED) -> Figure:
    """The memory of WSO2 Message Broker in per cent, filled until it stops publishers, and emptied."""
    mechanism, limits = memory_ratio(model), model.default(andes, "DEFAULT_LIMITS")
    state = mechanism.after_attach(mechanism.empty(MemorySettings(limits, TOTAL)), PRODUCER)
    steps = [Step(0, False, 0)]
    while len(steps) < LONGEST and not steps[-1].blocked and steps[-1].value < andes.WHOLE:
        state = mechanism.after_send(state, PRODUCER, ANDES_SIZE)
        steps.append(
            _memory_step(mechanism.level(state), not mechanism.may_send(state, PRODUCER, ANDES_SIZE), len(steps))
        )
    sent = len(steps) - 1
    while mechanism.level(state) > 0:
        state = mechanism.after_removal(state, PRODUCER, ANDES_SIZE)
        steps.append(
            _memory_step(mechanism.level(state), not mechanism.may_send(state, PRODUCER, ANDES_SIZE), len(steps))
        )
    stops = steps[sent].value if steps[sent].blocked else None
    released = next((n for n in range(sent, len(steps)) if not steps[n].blocked), None) if stops else None
    events, thresholds = [], []
    if stops is not None:
        events.append(Event(sent, (f"{sent} sent", f"{stops} % used: every publisher is blocked"), bad=True))
        thresholds.append(Threshold(stops, f"{andes.WHOLE - stops} % free: blocks all"))
    if released is not None:
        at = steps[released].value
        events.append(Event(released, (f"{released - sent} taken", f"{at} % used: every publisher is released")))
        thresholds.append(Threshold(at, f"{andes.WHOLE - at} % free: releases all", above=False))
    ratios = f"{limits.threshold / andes.WHOLE} and {limits.recovery / andes.WHOLE}"
    happens = "; ".join(f"{where}, {what}" for where, what in (event.row for event in events))
    return drawn(
        Course(
            name="andes-memory",
            title=f"Memory of WSO2 Message Broker, ratios {ratios} of it free",
            describes=f"Each message takes {ANDES_SIZE * andes.WHOLE // TOTAL} per cent of the memory. {happens}.",
            of="per cent of the memory used",
            along="messages sent, then taken",
            steps=tuple(steps),
            thresholds=tuple(thresholds),
            events=tuple(events),
        )
    )


def _memory_step(used: int, blocked: bool, along: int) -> Step:
    return Step(used * andes.WHOLE // TOTAL, blocked, along)


def consumer_window(model: Linker = DOCUMENTED) -> Figure:
    """The buffer of an Artemis consumer: filled as far as its window allows, whenever its program takes a message."""
    has_room = model.linked(artemis_consumer.has_room)
    buffer, hand_out = model.linked(artemis_consumer.after_buffering), model.linked(artemis_consumer.after_handing_out)
    consumer, values, filled = Consumer(WINDOW, buffered=0, last_turn=0), [0], []
    for turn in range(4):
        while has_room(WINDOW, consumer.buffered, PIECE) and len(values) < LONGEST:
            consumer = buffer(consumer, PIECE, turn)
            values.append(consumer.buffered)
        filled.append(len(values) - 1)
        for _ in range(2):
            consumer = hand_out(consumer, PIECE)
            values.append(consumer.buffered)
    most = max(values)
    described = (
        f"Messages of {PIECE} bytes are sent ahead until {figure_text(most)} bytes lie in the client's buffer. Each "
        "time the program takes two, as many follow."
    )
    return drawn(
        Course(
            name="consumer-window",
            title=f"A consumer window of {figure_text(WINDOW)} bytes",
            describes=described,
            of="bytes in the buffer",
            along="messages sent ahead and taken",
            steps=_free(values),
            thresholds=(Threshold(most, "nothing more is sent ahead"),),
            events=tuple(
                Event(n, (f"step {n}", f"{figure_text(values[n])} bytes: no room for one more")) for n in filled
            ),
        )
    )


def producer_window(model: Linker = DOCUMENTED) -> Figure:
    """The bytes that a Classic producer has sent without an answer, up to its window."""
    may_transmit = model.linked(classic.may_transmit)
    values, blocked, unanswered = [0], [False], 0
    for _ in range(3):
        while may_transmit(WINDOW, unanswered, PIECE) and len(values) < LONGEST:
            unanswered += PIECE
            values.append(unanswered)
            blocked.append(not may_transmit(WINDOW, unanswered, PIECE))
        for _ in range(3):
            unanswered -= PIECE
            values.append(unanswered)
            blocked.append(False)
    steps = tuple(Step(value, held, n) for n, (value, held) in enumerate(zip(values, blocked, strict=True)))
    most = max(values)
    described = (
        f"A producer that does not wait for answers sends until {figure_text(most)} bytes are unanswered; its next "
        f"message of {PIECE} bytes waits. Each answer lets it send again."
    )
    return drawn(
        Course(
            name="producer-window",
            title=f"A producer window of {figure_text(WINDOW)} bytes, asynchronous sends",
            describes=described,
            of="bytes without an answer",
            along="messages sent and answered",
            steps=steps,
            thresholds=(Threshold(most, "the next one waits"),),
            events=tuple(
                Event(first, (f"step {first}", "the window is used up"), bad=True) for first, _ in stretches(steps)
            ),
            blocked_word="",
        )
    )


def message_rate(model: Linker = DOCUMENTED) -> Figure:
    """The messages of a program that always has one more, under a rate of 10 a second."""
    may_pass, counts = model.linked(rate.may_pass), model.linked(rate.counts)
    passed: list[int] = []
    values = []
    for now in range(0, SECONDS * rate.SECOND_MS + 1, EVERY_MS):
        while may_pass(PER_SECOND, sum(counts(now - at) for at in passed)) and len(passed) < LONGEST:
            passed.append(now)
        values.append(len(passed))
    jumps = [0, *(n for n, (before, after) in enumerate(pairwise(values), 1) if after > before)]
    described = (
        f"A program that always has one more message gets {values[0]} through at once, and "
        f"{values[jumps[1]] - values[0]} more after {figure_text(jumps[1] * EVERY_MS)} ms, when none of the first "
        f"counts any more."
    )
    return drawn(
        Course(
            name="rate",
            title=f"A rate of {PER_SECOND} messages in any second",
            describes=described,
            of="messages passed",
            along=f"time, {SECONDS * rate.SECOND_MS:,} ms",
            steps=_free(values),
            thresholds=tuple(Threshold(values[n], f"at {n * EVERY_MS:,} ms") for n in jumps),
            events=tuple(Event(n, (f"{n * EVERY_MS:,} ms", f"{values[n]} have passed")) for n in jumps),
        )
    )


def _free(values: Sequence[int]) -> tuple[Step, ...]:
    """A step for each value, none of them blocked."""
    return tuple(Step(value, False, number) for number, value in enumerate(values))
