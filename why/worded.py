"""Recognises a stop that somebody reports in words of their own, without a line of a broker or client.

Such a sentence proves nothing and is only a quotation: it tells what the limit would mean. The sentence must report
what happened, because guides and requests name the same limits and effects.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from tidegate.why.lines import artemis, artemis_figures, classic, pulsar, qpid, rabbitmq, rabbitmq_figures
from tidegate.why.notices import Blocked, Cause

ADDED = re.compile(r"\A\+")
"""The mark of an added line in a difference of texts."""
REACHED = r"(?:hit|hits|hitting|reach\w*|exceed\w*|cross\w*|clash\w*|passed|past|above|over)"
FULL = r"(?:is|was|got|being|became) full"


def _reached(limit: str) -> str:
    """The words for a limit that is reached, in either order."""
    return rf"{REACHED} (?:\w+ ){{0,3}}\W?(?:{limit})|(?:{limit})\W? (?:\w+ ){{0,2}}{REACHED}\b"


def _at_100(what: str) -> str:
    """The words for a part of ActiveMQ Classic's usage that is at 100 percent, in either order."""
    return (
        rf"(?<![\w-]){what}[ -]?percent[ -]?(?:usage|used)[\"'”«»]?(?: is| at| shows)?:? (?<!\d)1\d\d\b(?! ?[.,]\d)"
        rf"|(?<![\w-]){what}[ -]?(?:percent[ -]?)?(?:usage|used|limit)? (?:\w+ ){{0,3}}(?<!\d)1\d\d ?%"
        rf"|(?<!\d)1\d\d ?% (?:of )?(?:the )?{what}\b"
    )


SHORT_OF = r"(?:low on|out of|short of|lack of) (?:free )?"
DISK = r"(?:disk|volume|partition|file ?system)"
ABOUT = r"(?:(?:is|was|are|were|at|to|got|already|now|only|just|over|more|than|about|around|currently) ){0,4}~?"
PERCENT = r"\d{2,3}(?:[.,]\d)? ?%"
OF_DISK = r"disk (?:free |space |size |usage |use |storage ){0,2}(?:limit|threshold|quota)"
"""The names that people give to the limit of a broker's disk."""
USED = (
    rf"{DISK}(?: space| usage| use)? {ABOUT}{PERCENT}|{PERCENT} (?:{DISK}|capacity|full|used|of (?:the |its )?{DISK})"
)
"""The words for the part of a disk that is taken, in percent."""
LITTLE_SPACE = (
    r"(?:low|only \S{1,10}(?: ?[kmgt]i?b)?(?: of)?) (?:free )?disk(?: space)?"
    r"|(?:little|less|no|(?:not|n't) (?:have )?enough) (?:free )?disk space"
    r"|(?:free )?disk space (?:\w+ ){0,2}(?:below|under|low)\b"
)
LIMITS: tuple[tuple[str, Cause, tuple[str, ...]], ...] = (
    (
        "rabbitmq",
        rabbitmq.MEMORY,
        (
            r"memory (?:resource )?(?:limit )?(?:high )?(?:water ?mark )?alarms?",
            rf"{SHORT_OF}(?:memory|ram)\b",
            _reached(r"vm_memory_high_watermark|memory (?:limit|threshold)|(?:memory )?(?:high[ -])?water ?mark"),
        ),
    ),
    (
        "rabbitmq",
        rabbitmq.DISK,
        (
            r"(?:free )?(?:disk )?(?:free )?(?:space|disk) (?:resource )?(?:limit )?alarms?",
            rf"{SHORT_OF}(?:disk|space)\b",
            rf"{DISK} (?:\w+ )?{FULL}|full disk",
            LITTLE_SPACE,
            _reached(rf"disk_free_limit|{OF_DISK}"),
        ),
    ),
    (
        "rabbitmq",
        rabbitmq.FLOW,
        (r"flow[ -]control", r"credit flow", r"(?:in|into) (?:the )?\W?flow\W? (?:state|status|mode)"),
    ),
    ("rabbitmq", rabbitmq_figures.LENGTH, (rf"queue {FULL}",)),
    (
        "artemis",
        replace(artemis.DISK, place_is=""),
        (_reached(rf"max[ -]disk[ -]usage|{OF_DISK}"), rf"{DISK} (?:\w+ )?{FULL}|full disk", USED, LITTLE_SPACE),
    ),
    ("artemis", replace(artemis_figures.ALL_LEVEL, tells_limit=True), (_reached(r"global[ -]max[ -]size"),)),
    ("artemis", artemis.BYTES, (_reached(r"max[ -]size[ -]bytes"),)),
    ("artemis", artemis.CUT, (rf"address (?:[\w.:/$#-]+ )?{FULL}",)),
    (
        "classic",
        classic.EITHER_MEMORY,
        (
            _reached(r"memory ?(?:usage )?limit"),
            _at_100(r"memory"),
        ),
    ),
    (
        "classic",
        classic.STORE,
        (rf"(?<!temp )(?<!temporary )store (?:usage )?{FULL}", _reached(r"store ?(?:usage )?limit"), _at_100(r"store")),
    ),
    (
        "classic",
        classic.TEMP,
        (rf"temp(?:orary)? (?:store|storage|usage|space) {FULL}", _at_100(r"temp(?:orary)?(?: store| storage)?")),
    ),
    ("qpid", qpid.QUEUE, (r"queue (?:is|was|became) over ?full",)),
    ("pulsar", pulsar.BACKLOG, (_reached(r"backlog (?:quota|limit)"),)),
)
"""The product, the limit, and the words for it."""
NO_SETTING = r"(?!\w*[\"'`]?\s?(?:[=>}]|[:,]\s?[\d{\[\"]))"
"""Excludes a name with a value behind it, which is a configuration."""


@cache
def _known() -> tuple[tuple[str, re.Pattern[str], Cause], ...]:
    """The product, the words for the limit, and the limit; compiled for the first text that tells nothing else."""
    return tuple(
        (product, re.compile(f"(?:{'|'.join(words)}){NO_SETTING}", re.IGNORECASE | re.DOTALL), cause)
        for product, cause, words in LIMITS
    )


EFFECT = re.compile(
    r"\bblock(?:s|ed|ing)?\b|\bhang(?:s|ing)?\b|\bhung\b|\bstuck\b|\bfr[eo]ez|\bfrozen\b|\bthrottl"
    r"|\bpaus(?:es|ed|ing)\b|\bstop(?:s|ped)? (?:accepting|receiving|reading|taking|publish)|\brefus(?:es|ed|ing)\b"
    r"|\brejects?\b|\brejected\b|\bkick(?:s|ed|ing)? in\b",
    re.IGNORECASE,
)
COMPLAINT = re.compile(
    r"\bsteh(?:t|en) (?:still|seit)\b"
    r"|\bhängt\b|\bhängen\b|\bblockiert\b|\bbloqu(?:é\w{0,2}|e|ent)\b|\bcolgad[oa]s?\b|\bbloquead[oa]s?\b"
    r"|\bhang(?:s|ing)?\b|\bhung\b|\bstuck\b|\bfreez(?:es|ing)\b|\bfrozen\b|\bnever returns?\b"
    r"|\b(?:our|my) (?:\w+ ){0,2}(?:connection|publisher|producer)s? (?:is|are|was|were|got) (?:\w+ ){0,3}blocked\b"
    r"|\b(?:not|un)(?: being)? ?able to (?:publish|send)|\b(?:cannot|can't|couldn't) (?:publish|send)",
    re.IGNORECASE,
)
"""The words of a complaint, which guides do not use; also in German, French and Spanish."""
REPORT = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|I|[Mm]y|I'm|I've|[Ww]e're|[Ww]e've)\b(?!-)"
    r"|\b(?:due to|because|caused?|causing|turned out|seems?|seemed|ran out|has run|went|got|was|were)\b"
    r"|\b(?:today|yesterday|currently|right now|at the moment|since \d|keeps?|still)\b|\bFIRING\b",
)
SUPPOSED = re.compile(
    r"\b(?:you|your|should|ensure|consider|configure|increase|raise|lower|e\.g|example|whether|prevent|avoid|support"
    r"|adds?|added|allow|feature|simulat\w+|reproduc\w+|tests?|tested|expected?|docs?|documentation|fix(?:e[sd])?"
    r"|possibl[ey]|suspect|maybe|perhaps|no longer|instead|without|not (?:due|because)"
    r"|does(?:n't| not)|did(?:n't| not))\b|\?",
    re.IGNORECASE,
)
"""The words of a guide, a request, a guess or a denial."""
RULE = re.compile(r"\W*When(?:ever)? ")
"""The beginning of a sentence that says what happens each time."""
CONDITION = re.compile(r"\b(?:can|could|may|might|must|will|would|if)\b", re.IGNORECASE)
"""The words of a rule; a complaint may have them too."""
NEGATED_IN_FRONT = re.compile(
    r"\b(?:no|not|none|nor|never|neither|nothing|zero|\w+n't)\b(?: (?!because\b|since\b|as\b|due\b|so\b)\w+){0,2} "
    r"\W?\Z",
    re.IGNORECASE,
)
NEGATED_BEHIND = re.compile(
    r"\W{0,3}(?: (?:of|on|in|at) (?:(?:the|node) )?\S{1,80})?"
    r" ?(?:is|was|are|were|has|had|does|did)?(?: been)?(?:n't| (?:not|never|cleared|gone|off|over|false)\b)"
    r"|\s?[:=]\s?(?:none|no|false|0)\b",
    re.IGNORECASE,
)
"""The words around a limit that is not reached: `no memory alarm`, `the alarm was cleared`."""
AGENT_BEHIND = re.compile(
    r"(?: (?:of|on|in|at) (?:(?:the|node) )?\S{1,80})?\s+"
    r"(?:(?:has |have |had )?(?:blocked|throttled|paused|stopped|rejected)"
    r"|(?:is|are|was|were|keeps?|kept) (?:(?:still|now|currently|constantly|always|actually|again|on) )?"
    r"(?:blocking|throttling|pausing|stopping|rejecting|preventing))\b",
    re.IGNORECASE,
)
AGENT_IN_FRONT = re.compile(
    r"\b(?:is|are|was|were|got|been|being) (?:blocked|throttled|paused|stopped|stalled) "
    r"(?:by|due to|because of) (?:an? |the )?\Z",
    re.IGNORECASE,
)
"""The words around a limit that stopped somebody: `the memory alarm blocked`, `is blocked by credit flow`."""
STATED = re.compile(
    r"\b(?:is|are|was|were|has|have|had|got|went|shows?|showed|says?|said|reports?|reported|see|saw|raised|set|fired"
    r"|triggered|happens|happened|ran|since|found|affiche|signale|hat|zeigt|meldet|steht|tiene|muestra)\b|\w's\b",
    re.IGNORECASE,
)
"""The words of a sentence that says what is or was."""
STATUS = re.compile(r"\b(?:CRITICAL|FIRING|PROBLEM)\b")
"""What a monitor calls a check that fails."""
END = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+[.)])\s)")
"""The end of a sentence, a paragraph or an item of a list."""


def worded(lines: Iterable[tuple[int, str]], products: set[str]) -> Iterator[tuple[int, Blocked]]:
    """The sentence that reports a stop by the only limit that a text names: its line and its statement.

    `products` are the products in the text; a text with several limits shows none of them.
    """
    numbered = [(number, ADDED.sub("", line)) for number, line in lines]
    text = "\n".join(line for _, line in numbered)
    named = [
        (words, cause) for product, words, cause in _known() if product in products and words.search(text) is not None
    ]
    # people call the effect of a limit flow control, or say that the address is full, beside the limit itself
    named = [one for one in named if one[1].tells_limit] or named
    if len(named) != 1:
        return
    words, cause = named[0]
    position = 0
    sentences = [sentence for sentence in END.split(text) if sentence.strip()]
    for number, sentence in enumerate(sentences):
        position = text.index(sentence, position)
        found = list(words.finditer(sentence))
        if any(_denied(sentence, limit) for limit in found):
            return
        beside = [*sentences[max(0, number - 1) : number], *sentences[number + 1 : number + 2]]
        if found and (
            any(_stopped(sentence, limit) for limit in found)
            or (STATUS.search(sentence) is not None and not _supposes(sentence))
            or _reports(words.sub(" ", sentence))
            or (_states(sentence, words.sub(" ", sentence)) and any(_complains(one) for one in beside))
        ):
            line = text[: position + found[0].start()].count("\n")
            yield numbered[line][0], Blocked(replace(cause, reported=True))
            return


def _denied(sentence: str, limit: re.Match[str]) -> bool:
    """Whether a sentence says that the limit is not reached."""
    behind = NEGATED_BEHIND.match(sentence, limit.end())
    return behind is not None or NEGATED_IN_FRONT.search(sentence, 0, limit.start()) is not None


def _supposes(sentence: str) -> bool:
    """Whether a sentence is a guide's, a request, a guess or a denial."""
    return RULE.match(sentence) is not None or SUPPOSED.search(sentence) is not None


def _complains(sentence: str) -> bool:
    """Whether a sentence complains of a stop."""
    return not _supposes(sentence) and COMPLAINT.search(sentence) is not None


def _states(sentence: str, rest: str) -> bool:
    """Whether a sentence says what is or was, and not what would be; `rest` is the sentence without its limit."""
    return not _supposes(rest) and CONDITION.search(rest) is None and STATED.search(sentence) is not None


def _reports(sentence: str) -> bool:
    """Whether a sentence, without the name of its limit, says that a stop happened."""
    if _complains(sentence):
        return True
    happened = EFFECT.search(sentence) is not None and REPORT.search(sentence) is not None
    return happened and not _supposes(sentence) and CONDITION.search(sentence) is None


def _stopped(sentence: str, limit: re.Match[str]) -> bool:
    """Whether a sentence says that the limit stopped somebody."""
    if SUPPOSED.search(sentence) is not None or CONDITION.search(sentence) is not None:
        return False
    behind = AGENT_BEHIND.match(sentence, limit.end())
    return behind is not None or AGENT_IN_FRONT.search(sentence, 0, limit.start()) is not None
