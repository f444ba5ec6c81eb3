"""Shows an answer as a few lines of text."""

from collections.abc import Iterator
from textwrap import fill

from tidegate.record.counts import counted
from tidegate.why.answer import CANNOT, Answer, Held, State
from tidegate.why.folders import Folder
from tidegate.why.lines import qpid

SHOWN_CLIENTS = 3
SHOWN_LEFT_OUT = 5
UNDER = " " * 9
"""The indent of a continued line, so that it stands below the text and not below the first word."""
LEAST_COLUMNS = 40
OF_A_CLUSTER = "node"
"""A kind of place that holds up producers everywhere, not only the senders to it."""
NOT_NAMED = "that these lines do not name"
STILL_HANGS = "if a send still hangs, these lines do not show why"
NOT_IN_ORDER = (
    "the files are read one after the other, because their times cannot be compared: some have no time, date or zone; "
    "--date and --zone LOG=ZONE give these"
)


def shown(answer: Answer, columns: int | None = None) -> str:
    """The answer without a line break at the end; a line that exceeds `columns` continues below its text."""
    if columns is None or columns <= LEAST_COLUMNS:
        return "\n".join(_lines(answer))
    return "\n".join(
        fill(line, columns, subsequent_indent=UNDER, break_long_words=False, break_on_hyphens=False)
        if len(line) > columns
        else line
        for line in _lines(answer)
    )


def _lines(answer: Answer) -> Iterator[str]:
    held = answer.held
    if held is None and answer.asked:
        yield f"Nothing is blocked now: none of {answer.lines:,} destinations at {answer.asked} blocks producers."
    elif held is None and answer.let_go:
        yield f"Nothing is blocked {_when(answer)}: producers are released ({answer.let_go})."
        yield from (f"ask      {STILL_HANGS}: {hint}" for hint in answer.hints)
    elif held is None and answer.quoted is not None:
        yield from _if_quoted(answer.quoted)
    elif held is None and answer.elsewhere:
        told = ", ".join(answer.elsewhere)
        yield f"No line tells of a stop at the asked queue, client or time; the lines tell of {told}."
    elif held is None:
        yield f"Why a producer is blocked {CANNOT}: {_no_limit(answer)}."
        yield from (f"ask      {hint}" for hint in answer.hints)
    elif answer.state is State.NOT_BLOCKED:
        yield from _free(held, _when(answer))
    else:
        yield from _blocked(held)
        if answer.quoted is not None:
            quoted = answer.quoted
            there = "sets a limit" if quoted.sets else _quotes(quoted)
            yield f"perhaps  {quoted.file}:{quoted.line} {there}: {_limit(quoted)}: {quoted.reason}"
        if answer.others:
            more = f", and {answer.others - len(answer.beside)} more" if answer.others > len(answer.beside) else ""
            stops = "1 other stop" if answer.others == 1 else f"{answer.others:,} other stops"
            one = "; --queue NAME or --client NAME answers for one of them"
            yield f"also     {stops}: {'; '.join(answer.beside)}{more}{one}"
    if answer.note:
        yield f"but      {answer.note}"
    if not answer.in_order:
        yield f"but      {NOT_IN_ORDER}"
    yield from (f"but      {sentence}" for sentence in answer.left_out[:SHOWN_LEFT_OUT])
    if len(answer.left_out) > SHOWN_LEFT_OUT:
        yield f"but      {len(answer.left_out) - SHOWN_LEFT_OUT:,} more could not be read; --json names each"
    yield from (f"files    {_found_in(folder)}" for folder in answer.folders)
    yield from _aside(answer)


def _no_limit(answer: Answer) -> str:
    if not answer.lines:
        return "there is no line"
    if answer.clear:
        says = "it says" if answer.lines == 1 else "they say"
        return f"{says} that {' and that '.join(answer.clear)}"
    return "the line tells of no limit" if answer.lines == 1 else f"none of {answer.lines:,} lines tells of a limit"


def _aside(answer: Answer) -> Iterator[str]:
    """The lines put aside: their number for each reason, with one sample."""
    for reason, count in answer.aside.items():
        sample = next(sample for sample in answer.samples if sample.reason == reason)
        lines = f"{count:,} lines" if count != 1 else "1 line"
        yield f"aside    {lines}: {reason}, as in {sample.file}:{sample.line}: {sample.text}"


def _found_in(folder: Folder) -> str:
    """The files read in a folder, and the number of files passed over there."""
    logs = counted(folder.logs, "logs")
    there = f" and {counted(folder.configurations, 'configurations')}" if folder.configurations else ""
    found = f"{folder.name} has {logs}{there}"
    if not folder.passed_over:
        return found
    others = "1 other file is" if folder.passed_over == 1 else f"{folder.passed_over:,} other files are"
    return f"{found}; {others} passed over: neither a log (*.log, rotated or packed too) nor a broker's configuration"


def _blocked(held: Held) -> Iterator[str]:
    yield f"{_since(held)}: {_who(held)}."
    yield f"by       {_limit(held)}: {held.reason}"
    yield f"release  {held.frees}{_missing(held)}"
    if held.change:
        yield f"change   {held.change}"
    if held.rule:
        yield f"rule     {held.rule}, {held.title} ({held.page}){_version(held)}"
    yield from _file(held)
    if held.caveat:
        yield f"but      {held.caveat}"
    yield f"ask      {held.ask}"


def _since(held: Held) -> str:
    if not held.line:
        return f"Blocked now, by {held.file}"
    what, since = ("Waited in vain", "at") if held.gave_up else ("Blocked", "since")
    if held.since and held.failed:
        return f"{what} from {held.since} until {held.failed} ({held.file}:{held.line})"
    if held.since:
        return f"{what} {since} {held.since} ({held.file}:{held.line})"
    if held.before and held.gave_up:
        return f"{what} for {held.before:,} s ({held.file}:{held.line}, without a time)"
    if held.before:
        return f"{what} for {held.before:,} s when {held.file}:{held.line} was written (a line without a time)"
    return f"{what} ({held.file}:{held.line}, without a time)"


def _if_quoted(held: Held) -> Iterator[str]:
    there = "sets a limit that is reached at once" if held.sets else _quotes(held)
    yield f"Why a producer is blocked {CANNOT} for certain: {held.file}:{held.line} {there}."
    yield f"if so    {_state(held)}"
    yield f"by       {_limit(held)}: {held.reason}"
    if held.holds:
        yield f"release  {held.frees}{_missing(held)}"
    if held.change:
        yield f"change   {held.change}"
    yield f"ask      {held.ask}"


def _quotes(held: Held) -> str:
    return "reports a limit, but is no line of a broker" if held.reported else "quotes a line of a broker"


def _state(held: Held) -> str:
    since = f" since {held.since}" if held.since else ""
    if held.gave_up:
        span = f" from {held.since} until {held.failed}" if held.failed else f" at {held.since}"
        return f"{_who(held)} waited in vain{span if held.since else ''}"
    if held.holds:
        return f"{_who(held)} {'are' if len(held.clients) > 1 else 'is'} blocked{since}"
    return f"nothing hangs: {_sends(held)}{since}"


def _sends(held: Held) -> str:
    """The sentence about sends that are not held up."""
    by = f" of {_named(held)}" if held.clients else ""
    to = f" to {held.place}" if held.place else ""
    return f"sends{by}{to} {held.sends}"


def _when(answer: Answer) -> str:
    return f"at {answer.at}" if answer.at else "at the end of these lines"


def _free(held: Held, when: str) -> Iterator[str]:
    if held.until is None:
        at = f" at {held.since}" if held.since else ""
        where = f"{held.file}:{held.line}" if held.line else held.file
        yield f"Nothing hangs{at} ({where}): {_sends(held)}."
        yield f"by       {_limit(held)}: {held.reason}"
        if held.frees:
            yield f"release  {held.frees}{_missing(held)}"
        if held.change:
            yield f"change   {held.change}"
    else:
        since = held.since or f"line {held.line}"
        span = f"from {since} until {held.until}"
        last = f"Earlier, {span}: {_sends(held)}" if held.sends else f"Last blocked: {_who(held)}, {span}"
        yield f"Nothing is blocked {when}. {last}."
        yield f"by       {_limit(held)}: {held.reason}"
    if held.rule:
        yield f"rule     {held.rule}, {held.title} ({held.page})"
    if held.until is not None and held.holds:
        yield f"ask      {STILL_HANGS}: {held.ask}"
    if held.until is None and held.sends == "fail":
        yield f"ask      {held.ask}"


def _who(held: Held) -> str:
    if not held.clients:
        return _everyone(held)
    return _named(held) + (f", sending to {_place(held)}" if held.place else "")


def _place(held: Held) -> str:
    """The place, with an article if its line does not name it: a queue that the line does not name."""
    return f"a {held.place}" if held.place.endswith(qpid.NOT_NAMED) else held.place


def _everyone(held: Held) -> str:
    if held.place_is == OF_A_CLUSTER:
        return f"every producer of the cluster{f' (alarm on {held.place})' if held.place else ''}"
    if held.place:
        return f"every producer that sends to {_place(held)}"
    if held.whom:
        return held.whom
    if held.place_is:
        return (
            f"every producer that sends to {'an' if held.place_is[0] in 'aeiou' else 'a'} {held.place_is} {NOT_NAMED}"
        )
    return "every producer of the broker"


def _named(held: Held) -> str:
    """The first `SHOWN_CLIENTS` clients, and the number of the others."""
    names = ", ".join(held.clients[:SHOWN_CLIENTS])
    more = len(held.clients) - SHOWN_CLIENTS
    return names + (f" and {more} more" if more > 0 else "")


def _limit(held: Held) -> str:
    if not held.setting:
        return f"a limit that {CANNOT}"
    level = f", level then {held.level:,} {held.unit}" if held.level is not None else ""
    return f"{held.setting}{_value(held)}{level}" + (f", {held.told}" if held.told else "")


def _value(held: Held) -> str:
    """The limit by the lines or the configuration, with the place that sets it; without that place if the figures
    differ."""
    told = f"{held.limit:,} {held.unit}" if held.limit is not None else ""
    if len(held.configured) == 1 and (held.limit is None or _agrees(held)):
        (there,) = held.configured
        return f" = {told or there.shown} ({there.origin})"
    if told or not held.figure:
        return (f" = {told}" if told else "") + (f" ({held.where})" if held.where else "")
    # the figures of a line in words have the limit, or all that the line tells of it
    return f" ({'; '.join(filter(None, ('' if held.told else 'value not told', held.where)))})"


def _file(held: Held) -> Iterator[str]:
    """The settings of configurations given with the logs, if there are several, if their figure differs from the log's,
    or if there is none."""
    if len(held.configured) > 1:
        yield "file     " + "; ".join(f"{there.setting} = {there.shown} ({there.origin})" for there in held.configured)
    elif held.configured and held.limit is not None and not _agrees(held):
        (there,) = held.configured
        yield (
            f"but      the configuration gives {there.shown} ({there.origin}): the broker of this log runs with another"
        )
    elif held.unset:
        whose = f" for {held.place}" if held.place else ""
        yield (
            f"but      {', '.join(held.unset)} sets no {held.setting}{whose}, or not in a form that counts; "
            f"`tidegate explain {held.unset[0]}` shows what it sets"
        )


def _agrees(held: Held) -> bool:
    return f"{held.limit:,} " in held.configured[0].shown or f"({held.limit:,}" in held.configured[0].shown


def _missing(held: Held) -> str:
    if held.missing is not None:
        return f": at least {counted(held.missing, held.unit)} must go"
    if held.usually is not None:
        return f": at least {counted(held.usually, held.unit)} must go, unless another resume level is configured"
    told = not held.figure or not held.goes or not held.setting or held.told.endswith("missing")
    return "" if told else f"; how much must go {CANNOT}"


def _version(held: Held) -> str:
    return f"; {held.version}" if held.version and (held.missing, held.usually) != (None, None) else ""
