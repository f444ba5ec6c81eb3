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
        early = mechanism.rules.get("early", ()) if aspect == "high" and name in LOWER else ()
        yield Operator(
            f"{figure.field.replace('_', '-')}-{name}",
            said.format(figure.words),
            mechanism.rules[aspect]
            + (("GENERAL-20",) if name == "ignored" and aspect in ("high", "messages") else ())
            + early,
            partial(ChangesFigure, figure=figure, change=change),
            KINDS_OF_FIGURES[figure.kind],
        )


def _of_levels(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    rules = mechanism.rules
    high, release = rules.get("high", rules["stop"]), rules["release"]
    if mechanism.charged is not None:
        for name, said, change in CHARGES:
            more = ("GENERAL-20",) if name == "not-counted" else ("GENERAL-8",)
            found = (*rules.get("charge", ()), *high, *rules["stop"], *more)
            make = partial(ChangesSize, place=mechanism.charged, change=change)
            yield Operator(name, said, tuple(dict.fromkeys(found)), make)
    for verb, place in mechanism.freed.items():
        for name, said, change in FREES:
            leak = (*rules.get("low", ()), *release, "GENERAL-8")
            found = (*high, *rules["stop"], "GENERAL-22") if name == "freed-twice" else leak
            found = ("GENERAL-4", *found) if verb == "purge" else found
            by, only = (f"-by-{verb}", f", by {verb}") if verb == "purge" else ("", "")
            make = partial(ChangesSize, place=place, change=change)
            yield Operator(name + by, said + only, tuple(dict.fromkeys(found)), make)
    if "purge" in capabilities and "purge" not in mechanism.freed and "acknowledge" in mechanism.freed:
        make = partial(ChangesSize, place=mechanism.freed["acknowledge"], change=FREES[0][2], verb="purge")
        yield Operator("not-freed-by-purge", f"{FREES[0][1]}, by purge", ("GENERAL-4", "GENERAL-8", *release), make)


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
            yield Operator(name, f"stops producers {where}", mechanism.rules[aspect], make, OF_WHO)


def _whoever(facts: Facts, producer: Producer) -> bool:
    return True


def _of_waiters(mechanism: Mechanism, capabilities: Collection[str]) -> Iterator[Operator]:
    by_verb = {"purge": "GENERAL-4", "changed-limits": "GENERAL-5"}
    rules = (*mechanism.rules["release"], *(rule for verb, rule in by_verb.items() if verb in capabilities))
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
    yield Operator("loses", "accepts messages and never delivers them", ("GENERAL-2",), messages.Loses)
    yield Operator("drops", "accepts messages and does not store them", ("GENERAL-2",), messages.Drops)
    yield Operator("refuses", "rejects messages where there is room", ("GENERAL-21",), messages.Refuses)
    yield Operator("says-refused", "says of messages that it stored that it rejected them", (*failed, "GENERAL-21"),
                   messages.SaysRefusedOfStored)  # fmt: skip
    yield Operator("stores-refused", "delivers messages that it refused", failed, messages.StoresWhatItRefuses)
    if "transactions" in capabilities:
        yield Operator("commits-rollbacks", "commits what is rolled back", ("GENERAL-16", "GENERAL-1"),
                       messages.CommitsRollbacks)  # fmt: skip
    if "close-clients" in capabilities:
        make = partial(messages.LosesWhatIsGivenBack, verb="close_consumer")
        yield Operator("loses-given-back", "loses what a closed consumer held", ("GENERAL-11", "GENERAL-2"), make)
        yield Operator("keeps-given-back", "keeps what a closed consumer held from others", ("GENERAL-11", "GENERAL-2"),
                       messages.KeepsWhatIsGivenBack)  # fmt: skip
    if "kill-clients" in capabilities:
        make = partial(messages.LosesWhatIsGivenBack, verb="kill")
        yield Operator("loses-killed", "loses what a consumer held whose connection broke",
                       ("GENERAL-12", "GENERAL-2"), make)  # fmt: skip


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
