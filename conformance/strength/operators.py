"""Operators: each way to get a mechanism wrong, with the rules whose sentences then do not hold."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from tidegate.conformance.strength import messages, words
from tidegate.conformance.strength.broker import Behaviour
from tidegate.conformance.strength.facts import Facts, Producer
from tidegate.conformance.strength.figures import CHANGES, IN_BITS, ChangesFigure, IgnoresChange
from tidegate.conformance.strength.levels import CHARGES, FREES, ChangesSize, DecidesOtherwise
from tidegate.conformance.strength.mechanisms import Figure, Mechanism
from tidegate.conformance.strength.triggers import Trigger
from tidegate.conformance.strength.waiters import STARVED, ReleasesLate, Starves

DECLARED = frozenset({"destination"})
OF_ALL = frozenset({"destination", "sender", "message", "history"})
OF_WHO = frozenset({"destination", "sender", "history"})
KINDS_OF_FIGURES = {
    "Limits": DECLARED,
    "ProducerOptions": frozenset({"destination", "sender"}),
    "ConsumerOptions": DECLARED,
    "Usage": frozenset[str](),
}
LATE_MS = 1000
LOWER = ("one-less", *IN_BITS)
"""The changes that lower a level, so that it is reached too early."""
EARLY = ("high", "messages", "memory", "store", "temp")
"""The aspects of levels: if one is too low, a producer is held back too early."""
RELEASED = "GENERAL-3"
"""The rule that every waiting producer of a destination is released once there is room, whatever the mechanism."""
COUNT = "GENERAL-42"
"""The rule that management counts accepted messages that are not acknowledged. A lost message breaks it, and so does a
message that is stored although it was refused."""
NEVER = "GENERAL-20"
"""The rule that a sender is stopped in the end. An ignored level breaks it; a level that is a byte higher does not."""


@dataclass(frozen=True)
class Operator:
    """One way to get a mechanism wrong."""

    name: str
    words: str
    """The fault as a sentence without its subject, the broker."""
    rules: tuple[str, ...]
    """The rules whose own sentence the fault contradicts, the most direct first."""
    make: Callable[[Trigger], Behaviour]
    triggers: frozenset[str] = OF_ALL
    """The kinds of triggers that the operator can have, beside none."""


def operators_of(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    """Every operator that can get something wrong in a mechanism of an adapter with these capabilities."""
    for figure in mechanism.figures:
        yield from _of_figure(mechanism, figure)
    if "changed-limits" in capabilities and "high" in mechanism.rules and mechanism.figures[0].kind == "Limits":
        rules = (*mechanism.rules.get("change", ()), "GENERAL-6", "GENERAL-5")
        yield Operator("change-ignored", "does not take over limits that are changed", rules, IgnoresChange)
    yield from _of_levels(mechanism, capabilities)
    yield from _of_decisions(mechanism)
    if mechanism.waiting and "release" in mechanism.rules:
        yield from _of_waiters(mechanism, capabilities)
    if mechanism.messages:
        yield from _of_messages(mechanism, capabilities)
    yield from _of_words(mechanism)
    if "order" in mechanism.rules:
        yield from _of_orders(mechanism)


def _of_figure(mechanism: Mechanism, figure: Figure) -> Iterator[Operator]:
    for name, said, change in CHANGES:
        if name in IN_BITS and not figure.is_level:
            continue
        aspect = "no low" if name == "ignored" and figure.aspect == "low" else figure.aspect
        yield Operator(
            f"{figure.field.replace('_', '-')}-{name}",
            said.format(figure.words),
            tuple(dict.fromkeys((*mechanism.rules[aspect], *_of_direction(mechanism, aspect, name)))),
            partial(ChangesFigure, figure=figure, change=change),
            KINDS_OF_FIGURES[figure.kind],
        )


def _of_direction(mechanism: Mechanism, aspect: str, change: str) -> tuple[str, ...]:
    """What a figure breaks besides by being another one: by being too low, too high, or not there."""
    rules = mechanism.rules
    if change in LOWER:
        return rules.get("early", ()) if aspect in EARLY else ()
    late = (
        rules["stop"]
        if aspect == "high"
        else (*rules.get(f"most {aspect}", ()), *((NEVER,) if aspect == "messages" else ()))
    )
    return tuple(rule for rule in late if rule != NEVER or change == "ignored")


def _of_levels(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    rules = mechanism.rules
    release = rules["release"]
    # what is charged for ever takes a level too early, as if the level were lower
    early = (*rules.get("high", ()), *rules.get("early", ()))
    late = (*rules.get("high", ()), *rules["stop"])
    leak = (*rules.get("low", ()), *release, "GENERAL-8", *early)
    if mechanism.charged is not None:
        for name, said, change, is_less in CHARGES:
            found = (*rules.get("charge", ()), *(late if is_less else (*early, *leak)))
            make = partial(ChangesSize, place=mechanism.charged, change=change)
            yield Operator(name, said, tuple(dict.fromkeys(found)), make)
    for verb, place in mechanism.freed.items():
        for name, said, change in FREES:
            found = (*late, "GENERAL-22") if name == "freed-twice" else leak
            found = ("GENERAL-4", *found) if verb == "purge" else found
            by, only = (f"-by-{verb}", f", by {verb}") if verb == "purge" else ("", "")
            make = partial(ChangesSize, place=place, change=change)
            yield Operator(name + by, said + only, tuple(dict.fromkeys(found)), make)
    if "purge" in capabilities and "purge" not in mechanism.freed and "acknowledge" in mechanism.freed:
        make = partial(ChangesSize, place=mechanism.freed["acknowledge"], change=FREES[0][2], verb="purge")
        found = tuple(dict.fromkeys(("GENERAL-4", *leak)))
        yield Operator("not-freed-by-purge", f"{FREES[0][1]}, by purge", found, make)


def _of_decisions(mechanism: Mechanism) -> Iterator[Operator]:
    decision = mechanism.decides
    if decision is None:
        return
    lets, holds = decision.lets_pass, decision.holds_back
    yield Operator(
        "never-stops", "never stops producers", mechanism.rules["stop"],
        partial(DecidesOtherwise, decision=decision, answer=lets, when=_whoever), OF_WHO,
    )  # fmt: skip
    if "others" in mechanism.rules:
        for name, aspect, where, when in (
            ("stops-elsewhere", "others", "while one is stopped at another destination", Facts.stopped_elsewhere),
            ("stops-beside", "beside", "while another one of their destination is stopped", Facts.stopped_beside),
        ):
            make = partial(DecidesOtherwise, decision=decision, answer=holds, when=when)
            # two that wait hold each other back, so neither goes on once there is room
            rules = tuple(dict.fromkeys((*mechanism.rules[aspect], *mechanism.rules["release"], RELEASED)))
            yield Operator(name, f"stops producers {where}", rules, make, OF_WHO)


def _whoever(facts: Facts, producer: Producer) -> bool:
    return True


def _of_waiters(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    by_verb = {"purge": "GENERAL-4", "changed-limits": "GENERAL-5"}
    named = (
        *mechanism.rules["release"],
        RELEASED,
        *(rule for verb, rule in by_verb.items() if verb in capabilities),
    )
    rules = tuple(dict.fromkeys(named))
    if "close-clients" in capabilities:
        for name, said, chosen in STARVED:
            yield Operator(name, said, rules, partial(Starves, chosen=chosen), OF_WHO)
    yield Operator(
        "releases-late", f"tells who is released {LATE_MS} ms late", rules, partial(ReleasesLate, late_ms=LATE_MS),
        OF_WHO,
    )  # fmt: skip


def _of_messages(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    failed = tuple(dict.fromkeys((*mechanism.rules.get("failed", ()), "GENERAL-1")))
    yield Operator("delivers-twice", "delivers messages once more", ("GENERAL-2",), messages.DeliversTwice)
    lost = ("GENERAL-2", COUNT)
    yield Operator("loses", "accepts messages and never delivers them", lost, messages.Loses)
    yield Operator("drops", "accepts messages and does not store them", (*lost, "GENERAL-44"), messages.Drops)
    yield Operator("refuses", "rejects messages where there is room",
                   ("GENERAL-21", *mechanism.rules.get("refused", ())), messages.Refuses)  # fmt: skip
    yield Operator("says-refused", "says of messages that it stored that it rejected them",
                   (*failed, "GENERAL-21", COUNT), messages.SaysRefusedOfStored)  # fmt: skip
    yield Operator("stores-refused", "delivers messages that it refused", (*failed, COUNT),
                   messages.StoresWhatItRefuses)  # fmt: skip
    if "transactions" in capabilities:
        yield Operator("commits-rollbacks", "commits what is rolled back", ("GENERAL-16", "GENERAL-1", COUNT),
                       messages.CommitsRollbacks)  # fmt: skip
    if "close-clients" in capabilities:
        make = partial(messages.LosesWhatIsGivenBack, verb="close_consumer")
        yield Operator("loses-given-back", "loses what a closed consumer held", ("GENERAL-11", *lost), make)
        yield Operator("keeps-given-back", "keeps what a closed consumer held from others", ("GENERAL-11", "GENERAL-2"),
                       messages.KeepsWhatIsGivenBack)  # fmt: skip
    if "kill-clients" in capabilities:
        make = partial(messages.LosesWhatIsGivenBack, verb="kill")
        yield Operator("loses-killed", "loses what a consumer held whose connection broke",
                       ("GENERAL-12", *lost), make)  # fmt: skip


def _of_words(mechanism: Mechanism) -> Iterator[Operator]:
    prefixes = {"queue-gate": ("QUE", "CHN"), "disk-quota": ("MST",)}.get(mechanism.name, ())
    for code, rule in words.LOG_RULES.items():
        if code.startswith(tuple(prefixes)) and prefixes:
            make = words.WritesOtherLines
            yield Operator(f"no-{code}", f"does not log {code}", (rule,), partial(make, code=code, times=0), OF_WHO)
            yield Operator(f"twice-{code}", f"logs {code} twice", (rule,), partial(make, code=code, times=2), OF_WHO)
            if code in words.WITH_FIGURES:
                other = partial(make, code=code, times=1, other_figure=True)
                yield Operator(f"figure-of-{code}", f"logs {code} with a wrong figure", (rule,), other, OF_WHO)
    if "notice" in mechanism.rules:
        yield Operator("notices-twice", "gives each notice twice", mechanism.rules["notice"], words.SaysTwice,
                       frozenset())  # fmt: skip


def _of_orders(mechanism: Mechanism) -> Iterator[Operator]:
    rules = mechanism.rules
    kinds = frozenset({"destination", "history"})
    for order, aspect in (("block", "order"), ("unblock", "lift")):
        yield Operator(f"ignores-{order}", f"ignores the order to {order}", rules[aspect],
                       partial(words.IgnoresOrder, order=order), kinds)  # fmt: skip
    for verb in ("purge", "acknowledge", "change_limits"):
        yield Operator(f"forgets-order-by-{verb.replace('_', '-')}", f"forgets an order to stop with {verb}",
                       rules["keep order"], partial(words.ForgetsOrder, verb=verb), kinds)  # fmt: skip
