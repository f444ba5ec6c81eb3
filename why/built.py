"""Computes how much must leave until producers are released, by the rules of the version that wrote the lines.

Only the model knows the release level: each rule is searched for the least amount at which it releases producers.
"""

from tidegate.explain.versions import ARTEMIS, CLASSIC, QPID, Version, version
from tidegate.model.mechanisms import artemis as artemis_rules
from tidegate.model.mechanisms import classic as classic_rules
from tidegate.model.mechanisms import qpid as qpid_rules
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.model.mechanisms.qpid import NOT_SET
from tidegate.why.notices import Figures


def taken(family: str, release: str) -> Version | None:
    """The modelled version that is nearest to a release; None without a release or for another broker."""
    product = family.partition(" ")[0]
    return version(product, release) if release and product in (ARTEMIS, CLASSIC, QPID) else None


def missing(family: str, figures: Figures, release: str = "") -> int | None:
    """The least amount, in bytes or messages, that must leave until producers are released; None if the lines do not
    tell it.

    `release` is the version of the broker, such as 10.1.0, or empty.
    """
    level, resume = figures.level, figures.resume
    if level is None or resume is None:
        return None
    return _least(family, figures, resume, level, release)


def usually_missing(family: str, figures: Figures, release: str) -> int | None:
    """The same for a Broker-J queue with the default resume level; None for any other cause."""
    if family != "qpid queue" or figures.level is None or figures.limit is None or figures.resume is not None:
        return None
    there = taken(family, release)
    if there is None or there.model().default(qpid_rules, "NO_LIMIT") != NOT_SET:
        return None  # before Broker-J a queue without a resume level uses that of its virtual host
    return _least(family, figures, NOT_SET, figures.level, release)


def _least(family: str, figures: Figures, resume: int, level: int, release: str) -> int | None:
    """The least amount at which the rule releases producers; a binary search, because a rule releases below some
    level."""
    if not _free(family, figures, resume, 0, release):
        return None
    low, high = -1, level
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _free(family, figures, resume, level - middle, release) else (middle, high)
    return high


def _free(family: str, figures: Figures, resume: int, level: int, release: str) -> bool:
    there = taken(family, release)
    model = (there or Version("")).model()
    if family == "qpid queue":
        capacity = figures.limit if figures.limit is not None else resume
        return model.linked(qpid_rules.underfull)(qpid_rules.Queue(capacity, resume, level))
    if family.startswith(ARTEMIS):
        limits = artemis_rules.AddressLimits(max_size=resume, reject_threshold=artemis_rules.NO_LIMIT, blocks=True)
        return not model.linked(artemis_rules.full)(limits, level)
    if family.startswith(CLASSIC):
        return not model.linked(classic_rules.full)(
            classic_rules.Destination(limit=resume, controlled=True, bytes=level)
        )
    return not past_high(Gate(resume, resume), level)
