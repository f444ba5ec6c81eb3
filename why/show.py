"""An answer as a few lines of text."""

from collections.abc import Iterator

from tidegate.why.answer import CANNOT, Answer, Held, State

SHOWN_CLIENTS = 3
NOT_IN_ORDER = (
    "the files stand as they were given: their times cannot be compared, for some lack a time, a date or a zone; "
    "--date and --zone FILE=ZONE say these"
)


def shown(answer: Answer) -> str:
    """The answer for a terminal, without a line break at the end."""
    return "\n".join(_lines(answer))


def _lines(answer: Answer) -> Iterator[str]:
    held = answer.held
    if held is None and answer.asked:
        yield f"Nothing is blocked now: none of {answer.lines:,} destinations at {answer.asked} blocks producers."
    elif held is None and answer.let_go:
        yield f"Nothing is blocked at the end of these lines: producers are let go ({answer.let_go})."
    elif held is None:
        yield f"Why a producer is blocked {CANNOT}: none of {answer.lines:,} lines tells of a limit."
        yield from (f"ask      {hint}" for hint in answer.hints)
    elif answer.state is State.NOT_BLOCKED:
        yield from _free(held)
    else:
        yield from _blocked(held)
        if answer.others:
            yield f"also     {answer.others} more of these stand; --queue and --client choose among them"
    if not answer.in_order:
        yield f"but      {NOT_IN_ORDER}"
    yield from _aside(answer)


def _aside(answer: Answer) -> Iterator[str]:
    """What was put aside: how many lines for each reason, with one of them."""
    for reason, count in answer.aside.items():
        sample = next(sample for sample in answer.samples if sample.reason == reason)
        lines = f"{count:,} lines" if count != 1 else "1 line"
        yield f"aside    {lines}: {reason}, as in {sample.file}:{sample.line}: {sample.text}"


def _blocked(held: Held) -> Iterator[str]:
    since = (
        f"now, by {held.file}"
        if not held.line
        else (
            f"since {held.since} ({held.file}:{held.line})"
            if held.since
            else f"({held.file}:{held.line}, without a time)"
        )
    )
    yield f"Blocked {since}: {_who(held)}."
    yield f"by       {_limit(held)}: {held.reason}"
    yield f"frees    {held.frees}{_missing(held)}"
    if held.change:
        yield f"change   {held.change}"
    if held.rule:
        yield f"rule     {held.rule}, {held.title} ({held.page}){_version(held)}"
    yield from _file(held)
    if held.caveat:
        yield f"but      {held.caveat}"
    yield f"ask      {held.ask}"


def _free(held: Held) -> Iterator[str]:
    if held.until is None:
        at = f" at {held.since}" if held.since else ""
        where = f"{held.file}:{held.line}" if held.line else held.file
        yield f"Nothing is blocked by what is said{at} ({where}): {_who(held)} goes on or is refused."
        yield f"by       {_limit(held)}: {held.reason}"
    else:
        since = held.since or f"line {held.line}"
        yield f"Nothing is blocked at the end of these lines. Last: {_who(held)}, from {since} until {held.until},"
        yield f"by       {_limit(held)}: {held.reason}"
    if held.rule:
        yield f"rule     {held.rule}, {held.title} ({held.page})"


def _who(held: Held) -> str:
    if not held.clients:
        return f"whoever sends to {held.place}" if held.place else "every producer of the broker"
    names = ", ".join(held.clients[:SHOWN_CLIENTS])
    more = len(held.clients) - SHOWN_CLIENTS
    return names + (f" and {more} more" if more > 0 else "") + (f", sending to {held.place}" if held.place else "")


def _limit(held: Held) -> str:
    if not held.setting:
        return f"a limit that {CANNOT}"
    level = f", level then {held.level:,} {held.unit}" if held.level is not None else ""
    return f"{held.setting}{_value(held)}{level}" + (f", {held.told}" if held.told else "")


def _value(held: Held) -> str:
    """What the lines or the configuration say of the limit, and where it is set."""
    told = f"{held.limit:,} {held.unit}" if held.limit is not None else ""
    if len(held.configured) == 1:
        (there,) = held.configured
        return f" = {told or there.shown} ({there.origin})"
    where = f" ({held.where})" if held.where else ""
    return (f" = {told}" if told else f" (value {CANNOT})") + where


def _file(held: Held) -> Iterator[str]:
    """What configurations beside the logs say, where that is more than the line of the one limit, or another figure."""
    if len(held.configured) > 1:
        yield "file     " + "; ".join(f"{there.setting} = {there.shown} ({there.origin})" for there in held.configured)
    elif held.configured and held.limit is not None and not _agrees(held):
        (there,) = held.configured
        yield f"but      {there.origin} says {there.shown}: the broker of this log runs with another configuration"


def _agrees(held: Held) -> bool:
    return f"{held.limit:,} " in held.configured[0].shown or f"({held.limit:,}" in held.configured[0].shown


def counted(amount: int, unit: str) -> str:
    """An amount with its unit: 1 byte, 2 bytes."""
    return f"{amount:,} {unit.removesuffix('s') if amount == 1 else unit}"


def _missing(held: Held) -> str:
    if held.missing is not None:
        return f": at least {counted(held.missing, held.unit)} must go"
    if held.usually is not None:
        return f": at least {counted(held.usually, held.unit)} must go, unless another resume level is configured"
    return f"; how much is missing {CANNOT}" if not held.told.endswith("missing") else ""


def _version(held: Held) -> str:
    return f"; {held.version}" if held.version and (held.missing, held.usually) != (None, None) else ""
