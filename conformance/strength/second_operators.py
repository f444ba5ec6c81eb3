"""The operators of the second series of faults, each with the rules whose sentences then do not hold."""

from collections.abc import Callable, Collection, Iterator
from functools import partial

from tidegate.conformance.strength import second_behaviours as wrong
from tidegate.conformance.strength.broker import Behaviour
from tidegate.conformance.strength.facts import Facts, Producer
from tidegate.conformance.strength.levels import CHARGES, FREES, ChangesSize, DecidesOtherwise
from tidegate.conformance.strength.mechanisms import Mechanism
from tidegate.conformance.strength.operators import COUNT, NEVER, OF_ALL, OF_WHO, RELEASED, Operator
from tidegate.conformance.strength.triggers import Trigger

HISTORY = frozenset({"destination", "history"})
BY_VERB = {
    "acknowledge": (), "purge": ("GENERAL-4",), "change_limits": ("GENERAL-5",), "move": ("GENERAL-41",),
    "give_up": ("GENERAL-43",),
}  # fmt: skip
"""The rules about room that comes by a verb."""
CAPABILITY_OF = {
    "purge": "purge", "change_limits": "changed-limits", "move": "moves-messages", "give_up": "dead-letters",
}  # fmt: skip
"""The capability that has the verb."""


def second_operators_of(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    """Every operator of the second series for a mechanism of an adapter with these capabilities."""
    yield from _of_levels(mechanism, capabilities)
    yield from _of_connections(mechanism, capabilities)
    if mechanism.waiting and "release" in mechanism.rules and mechanism.messages:
        yield from _of_releases(mechanism, capabilities)
    if "high" in mechanism.rules and mechanism.figures[0].kind == "Limits":
        yield from _of_settings(mechanism, capabilities)
    if mechanism.messages:
        yield from _of_messages(mechanism, capabilities)
        yield from _of_management(capabilities)


def _operator(
    name: str, words: str, rules: tuple[str, ...], make: Callable[[Trigger], Behaviour],
    triggers: frozenset[str] = OF_ALL,
) -> Operator:  # fmt: skip
    return Operator(name, words, tuple(dict.fromkeys(rules)), make, triggers)


def _leak(mechanism: Mechanism) -> tuple[str, ...]:
    """The rules that a level breaks that stays too high."""
    rules = mechanism.rules
    return (*rules.get("low", ()), *rules["release"], RELEASED, "GENERAL-8", *rules.get("high", ()),
            *rules.get("early", ()))  # fmt: skip


def _late(mechanism: Mechanism) -> tuple[str, ...]:
    """The rules that a level breaks that is reached too late."""
    return (*mechanism.rules.get("high", ()), *(rule for rule in mechanism.rules["stop"] if rule != NEVER))


def _of_levels(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    leak, late = _leak(mechanism), _late(mechanism)
    if mechanism.decides is not None and mechanism.messages:
        yield _operator("stops-a-message-late", "compares a level before it adds a message", late,
                        partial(wrong.StopsAMessageLate, decision=mechanism.decides))  # fmt: skip
    place = mechanism.freed.get("acknowledge")
    if place is None:
        return
    yield _operator("frees-a-message-late", "gives bytes back only once the next message leaves", leak,
                    partial(wrong.FreesAMessageLate, place=place))  # fmt: skip
    for verb, needs, said, own in (
        ("move", "moves-messages", "that are moved", "GENERAL-41"),
        ("give_up", "dead-letters", "that are refused for good", "GENERAL-43"),
        ("take", "expiring-messages", "that expired", "GENERAL-40"),
    ):
        if needs in capabilities:
            for name, _, change in (FREES[0], FREES[2]):
                what = "gives nothing back for messages" if name == "not-freed" else "gives the bytes back twice"
                rules = leak if name == "not-freed" else (*late, "GENERAL-22")
                of = "" if name == "not-freed" else " of messages"
                yield _operator(f"{name}-by-{verb.replace('_', '-')}", f"{what}{of} {said}", (own, *rules),
                                partial(ChangesSize, place=place, change=change, verb=verb), HISTORY)  # fmt: skip
    if mechanism.charged is not None and "moves-messages" in capabilities:
        make = partial(ChangesSize, place=mechanism.charged, change=CHARGES[1][2], verb="move")
        yield _operator("not-counted-by-move", "does not count messages that are moved to a destination",
                        ("GENERAL-41", *late, NEVER), make, HISTORY)  # fmt: skip


def _of_connections(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    if mechanism.decides is None or "shared-connections" not in capabilities or "beside" not in mechanism.rules:
        return
    rules = mechanism.rules
    for name, said, answer, broken in (
        ("stops-connection", "stops producers while another one of their connection is stopped",
         mechanism.decides.holds_back, (*rules["others"], *rules["beside"], *rules["release"], RELEASED)),
        ("frees-connection", "stops only one producer of a connection", mechanism.decides.lets_pass, rules["stop"]),
    ):  # fmt: skip
        make = partial(DecidesOtherwise, decision=mechanism.decides, answer=answer, when=_on_stopped_connection)
        yield _operator(name, said, broken, make, HISTORY)


def _on_stopped_connection(facts: Facts, producer: Producer) -> bool:
    return facts.stopped_on_its_connection(producer)


def _of_releases(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    release = (*mechanism.rules["release"], RELEASED)
    can = {verb for verb, needs in CAPABILITY_OF.items() if needs in capabilities} | {"acknowledge"}
    by_any = tuple(rule for verb, rules in BY_VERB.items() if verb in can for rule in rules)
    everything, sends = wrong.FREEING, frozenset({"send", "send_to"})
    held = wrong.HoldsReleased
    yield _operator("releases-by-next-send", "tells who is released only with the next message of anyone",
                    (*release, *by_any), partial(held, by=everything, until=sends), OF_WHO)  # fmt: skip
    yield _operator("releases-by-next-removal", "tells who is released only with the next message that leaves",
                    (*release, *by_any), partial(held, by=everything, until=wrong.REMOVING), OF_WHO)  # fmt: skip
    yield _operator("releases-one-by-one", "releases one producer with each message that leaves",
                    (*release, *by_any), partial(held, by=everything, until=wrong.REMOVING, one_by_one=True),
                    OF_WHO)  # fmt: skip
    yield _operator("releases-when-empty", "releases producers only once their destination is empty",
                    (*mechanism.rules.get("low", ()), *release, *by_any),
                    partial(held, by=everything, until=frozenset(), when_empty=True), OF_WHO)  # fmt: skip
    for verb in sorted(can & CAPABILITY_OF.keys()):
        said = {"purge": "a purge", "change_limits": "a raised limit", "move": "a move",
                "give_up": "a message that is refused for good"}[verb]  # fmt: skip
        until = (sends | wrong.REMOVING) - {verb}
        yield _operator(f"wakes-nobody-by-{verb.replace('_', '-')}", f"does not wake who waits after {said}",
                        (*BY_VERB[verb], *mechanism.rules["release"]),
                        partial(held, by=frozenset({verb}), until=until), OF_WHO)  # fmt: skip
    if "close-clients" in capabilities:
        yield _operator("forgets-next-by-close", "forgets the next one who waits when a stopped producer is closed",
                        ("GENERAL-9", *release), partial(wrong.ForgetsOthersOfGone, verb="close_producer"),
                        OF_WHO)  # fmt: skip
    if "kill-clients" in capabilities:
        yield _operator("forgets-next-by-kill", "forgets the next one who waits when a stopped one's connection breaks",
                        ("GENERAL-10", *release), partial(wrong.ForgetsOthersOfGone, verb="kill"),
                        OF_WHO)  # fmt: skip


def _of_settings(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    rules = mechanism.rules
    if "default-limits" in capabilities:
        broken = (*rules.get("inherited", ()), *rules["high"], *rules.get("early", ()), *rules["stop"])
        yield _operator("defaults-win", "lets default limits override a destination's own", broken,
                        partial(wrong.InheritsWrong, way="own"), frozenset())  # fmt: skip
        if "inherited" in rules:
            yield _operator("defaults-ignored", "gives no destination the default limits", broken,
                            partial(wrong.InheritsWrong, way="none"), frozenset())  # fmt: skip
    if "changed-limits" in capabilities:
        changed = (*rules.get("change", ()), "GENERAL-6", "GENERAL-5")
        yield _operator("first-change-only", "takes over only the first change of limits", changed,
                        partial(wrong.TakesChangesWrong, first_only=True), HISTORY)  # fmt: skip
        yield _operator("change-by-next-send", "takes over changed limits only with the next message", changed,
                        partial(wrong.TakesChangesWrong, first_only=False), HISTORY)  # fmt: skip


def _of_messages(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    if "ordered-messages" in capabilities:
        yield _operator("delivers-out-of-order", "hands out the second message before the first", ("GENERAL-52",),
                        wrong.DeliversOutOfOrder)  # fmt: skip
    if "expiring-messages" in capabilities:
        yield _operator("delivers-expired", "keeps and delivers messages whose time is over",
                        ("GENERAL-40", "GENERAL-47"), wrong.DeliversExpired)  # fmt: skip
    if "dead-letters" in capabilities:
        yield _operator("keeps-given-up", "keeps what a consumer refused for good", ("GENERAL-43", "GENERAL-46"),
                        wrong.KeepsGivenUp)  # fmt: skip
    for verb, needs, said, own in (
        ("move", "moves-messages", "loses messages that are moved", ("GENERAL-41",)),
        ("list_messages", "lists-messages", "loses messages that are listed", ()),
        ("browse", "browsed-messages", "loses messages that are browsed", ()),
        ("restart_broker", "restarts-broker", "loses messages by a restart", ("GENERAL-23", "GENERAL-24")),
    ):
        if {needs, "purge"} <= set(capabilities):
            yield _operator(f"loses-by-{verb.replace('_', '-')}", said, (*own, "GENERAL-2", COUNT),
                            partial(wrong.LosesBy, verb=verb), HISTORY)  # fmt: skip
    if "transactions" in capabilities:
        rules = ("GENERAL-16", COUNT)
        for name, said, way, more in (
            ("commits-at-send", "commits each message of a transaction as it comes", "at once", ("GENERAL-1",)),
            ("rolls-back-commits", "rolls back what is committed", "rolls back", ("GENERAL-2", "GENERAL-44")),
            ("forgets-rollback", "leaves what is rolled back in the transaction", "forgets", ("GENERAL-1",)),
        ):
            yield _operator(name, said, (*rules, *more), partial(wrong.EndsTransactionsWrong, way=way))


def _of_management(capabilities: Collection[str]) -> Iterator[Operator]:
    removed = wrong.REMOVING
    yield _operator("shows-old-depth", "shows the old level after messages left", (COUNT, "GENERAL-8", "GENERAL-48"),
                    partial(wrong.ShowsStale, look="depth", stale_by=removed), HISTORY)  # fmt: skip
    yield _operator("shows-old-depth-by-purge", "shows the old level after a purge", (COUNT, "GENERAL-8", "GENERAL-48"),
                    partial(wrong.ShowsStale, look="depth", stale_by=frozenset({"purge"})), HISTORY)  # fmt: skip
    if "usage-shown" in capabilities:
        yield _operator("shows-old-percent", "shows the old percentage after messages left", ("GENERAL-50",),
                        partial(wrong.ShowsStale, look="shown_percent", stale_by=removed), HISTORY)  # fmt: skip
    if "stops-shown" in capabilities:
        yield _operator("shows-old-stop", "shows producers as they stood before messages left", ("GENERAL-49",),
                        partial(wrong.ShowsStale, look="shown_stopped", stale_by=removed), HISTORY)  # fmt: skip
    if "traffic-readable" in capabilities:
        for count, rule in (("came", "GENERAL-44"), ("left", "GENERAL-45"), ("in_hand", "GENERAL-46")):
            for name, said, change in (("one-more", "one more", _one_more), ("halved", "half", _half)):
                yield _operator(
                    f"shows-{count.replace('_', '-')}-{name}", f"shows {said} of the messages that {_WORDS[count]}",
                    (rule,), partial(wrong.ShowsOtherTraffic, count=count, change=change), HISTORY,
                )  # fmt: skip
        if "counts-expired" in capabilities:
            yield _operator("shows-no-expired", "counts no message as expired", ("GENERAL-47",),
                            partial(wrong.ShowsOtherTraffic, count="expired", change=_none), HISTORY)  # fmt: skip


_WORDS = {"came": "came", "left": "left", "in_hand": "are in hand"}


def _one_more(count: int) -> int:
    return count + 1 if count else 0


def _half(count: int) -> int:
    return count // 2


def _none(count: int) -> int:
    return 0
