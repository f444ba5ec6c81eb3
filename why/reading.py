"""Reads lines of logs as they come (pasted, grepped, wrapped by other tools) and collects what they say of
producers."""

import re
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import cached_property, partial
from heapq import merge
from itertools import accumulate, chain, islice, takewhile
from lzma import LZMAError
from typing import BinaryIO

from tidegate.record.counts import counted
from tidegate.record.errors import BadInput
from tidegate.why import saved
from tidegate.why.beginnings import completed
from tidegate.why.datapoints import Datapoints
from tidegate.why.decoding import lines_of
from tidegate.why.dumps import Dumps
from tidegate.why.frames import Frames
from tidegate.why.json_stacks import with_stacks
from tidegate.why.lines.form import LineForm
from tidegate.why.lines.needed import Sign
from tidegate.why.lines.qpid import A_CHANNEL, NOT_NAMED
from tidegate.why.listings import Listing
from tidegate.why.lists import Lists
from tidegate.why.marks import IS_MARK, forms_of, marked, signs_of, split
from tidegate.why.mentions import (
    DENIED,
    LOOKED_BEHIND,
    NAME,
    PREVENTED,
    TEMPLATE,
    goes_through_policies,
    is_explained,
    is_linked,
    is_listed,
    is_made_up,
    is_named,
    is_source_code,
    is_under_a_heading,
    without_code,
)
from tidegate.why.names import with_clean_names
from tidegate.why.notations import as_json
from tidegate.why.notices import Blocked, Notice, Released, Said
from tidegate.why.openings import begun
from tidegate.why.prefixes import begins_with_time, in_front_of_time, is_prefix, record_in, time_in
from tidegate.why.records import fields_of, joined, lines_of_field, unwrapped
from tidegate.why.retyped import MOST_LINES, SEARCHED, retyped
from tidegate.why.rewrapped import rewrapped, without_mark
from tidegate.why.rows import Rows
from tidegate.why.soft_breaks import without_soft_breaks
from tidegate.why.sources import headed, origin
from tidegate.why.tables import Table
from tidegate.why.texts import NAMES, in_a_call, is_code, logged, names, of_a_program
from tidegate.why.times import LEAP_YEAR, NO_DAY, Stamp
from tidegate.why.troubles import trouble
from tidegate.why.worded import worded
from tidegate.why.wrappings import BETWEEN_MATCHES, EXPORTED, JSON_STRING, as_logged, without_colours, without_entities

LOOKED_BACK = 30
"""The most lines of a record in front of the line that tells, such as the first line of java.util.logging."""
RECOGNISED_IN = 1000
"""The number of lines at the beginning of a file that are searched for signs of a broker."""
WRAPPED = 3
"""The most lines before and after a line that may be parts of the same wrapped line, as in mails and pages."""
MOST_RESTS = 40
"""The number of lines of an excerpt that are tried as lines without their beginning."""
SAMPLES = 3
SHOWN = 120
"""The number of characters shown of a line that was put aside."""
QUOTED = "other text stands in front of the broker's message"
UNKNOWN = "no form of this line is known"
COMMENTED_OUT = ("#", "%", ";", "//", "--", "*")
COMMAND = "rabbitmqctl"
PROGRAM = "the line is source code or a comment"
BYTES_OF_JOURNALD = '"MESSAGE":['
FRAMES = ("\\tat ", "\\n   at ", "\\n    at ")
"""What stands in front of the frames of a stack in a record."""
UNREADABLE = (OSError, EOFError, zlib.error, LZMAError, BadInput)
"""The errors of reading a packed file that is cut off, damaged, or packed in an unsupported way."""
HOUR = re.compile(r"\D{0,3}(\d\d):\d\d:\d\d")
DAY_BREAK = 12
"""A time of day that is at least this many hours before the time of the previous line belongs to the next day."""
WRITTEN_WITHIN = timedelta(minutes=2)
"""The longest distance between the last time in a file and the file's modification time at which the latter tells the
day."""


@dataclass(frozen=True)
class Heard:
    """The statement of one line, with the line's file, number, and time or None."""

    said: Said
    file: str
    line: int
    time: Stamp | None
    of: str = ""
    """The host, pod or container that a tool put in front of the line, or a collector beside it."""
    front: str = ""
    """The text in front of the line's time, which may name a node in a form of no known tool."""


@dataclass(frozen=True)
class Aside:
    """A line that has the mark of a broker's line but matches no known form: its file, number and text, and why it was
    put aside."""

    file: str
    line: int
    reason: str
    text: str = ""


@dataclass(frozen=True)
class Setting:
    """An operator's statements about logs: the day of times without a date, and the zone of times without a zone.

    `zones` is by file; "" stands for all other files. `written` is the modification time of each file, in the machine's
    zone and in UTC.
    """

    day: date | None = None
    zones: Mapping[str, tzinfo] = field(default_factory=dict)
    written: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    in_folders: frozenset[str] = frozenset()
    """Files that were found in a folder and not named: if one cannot be read to its end, the part that can be read
    counts."""

    def zone(self, name: str) -> tzinfo | None:
        """The zone of a file; None if no zone is stated."""
        return self.zones.get(name, self.zones.get(""))


NOTHING_SAID = Setting()


@dataclass
class Log:
    """The result of reading: the number of lines, their statements, and the lines put aside, counted by reason with
    samples."""

    lines: int = 0
    heard: list[Heard] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    samples: list[Aside] = field(default_factory=list)
    quoted: list[Heard] = field(default_factory=list)
    """The statements of lines that were put aside because other text stands in front of the broker's message."""
    brokers: set[str] = field(default_factory=set)
    beginning: list[str] = field(default_factory=list)
    """The lines at the beginning of each file that are searched for the names of products."""
    asked: str = ""
    """The address of the broker that was asked in place of a log; `lines` is then the number of its destinations."""
    note: str = ""
    """Facts that the asked broker cannot tell."""
    in_order: bool = True
    """Whether lines of several files could be put in the order of their times."""
    left_out: list[str] = field(default_factory=list)
    """One sentence for each file in a folder that could not be read, or not to its end."""
    troubles: dict[str, str] = field(default_factory=dict)
    """Other troubles that lines tell, each with the file and line of the last one."""
    spans: dict[str, tuple[Stamp, Stamp] | None] = field(default_factory=dict)
    """By file, the first and the last time among its lines; None if it has none."""

    @cached_property
    def names(self) -> set[str]:
        """The products named anywhere in the text; a quotation counts only for one of these."""
        return names(self.beginning)


BROKERS = {
    "artemis": Sign(
        r"\b(?:AMQ|HQ)[126]\d{5}\b|artemis|hornetq|\|CONSUMER_COUNT *\|MESSAGE_COUNT|^Connection brokerURL = ",
        re.IGNORECASE,
    ),
    "classic": Sign(
        r"activemq\.(?:broker|usage|store|kaha|transport)|\bActiveMQ \d\.|"
        r"\bStore limit is \d+ mb",
        re.IGNORECASE,
    ),
    "qpid": Sign(r"\b(?:BRK-|QUE-|CHN-|CON-|MST-|VHT-)\d{4}|org\.apache\.qpid"),
    "rabbitmq": Sign(r"rabbit|^=[A-Z]+ REPORT====", re.IGNORECASE),
    "andes": Sign(r"wso2\.andes"),
    "pulsar": Sign(r"\bpulsar\b|persistent://", re.IGNORECASE),
    "kafka": Sign(r"kafka", re.IGNORECASE),
}


def read(files: Iterable[tuple[str, BinaryIO]], setting: Setting = NOTHING_SAID) -> Log:
    """Reads logs; lines of several files are put in the order of their times if these can be compared."""
    log = Log()
    heard = []
    for name, file in files:
        reader = _Reader(log, name, setting)
        reader.read(file)
        heard.append(reader.heard)
    times = [each.time for lines in heard for each in lines]
    told = [time for time in times if time is not None]
    log.in_order = len(heard) == 1 or (len(told) == len(times) and len({_kind(time) for time in told}) < 2)
    log.quoted = _unambiguous([each for each in log.quoted if _of_named(each.said, log.names)])
    together = merge(*heard, key=_instant) if log.in_order else chain(*heard)
    log.heard = list(together)
    return log


def _of_named(said: Said, products: set[str]) -> bool:
    """Whether a quotation is of a product that the text names; a product without a known sign is named by its own
    lines."""
    product = said.cause.family.partition(" ")[0] if isinstance(said, Blocked) else ""
    return product not in NAMES or product in products


def _unambiguous(quoted: list[Heard]) -> list[Heard]:
    """The quotations; mentions of messages count only if all tell of one limit, for another text lists what may happen.

    A mention is a quotation without a time.
    """
    mentioned = {
        one.said.cause.setting
        for one in quoted
        if one.time is None and isinstance(one.said, Blocked) and one.said.cause.tells_limit and not one.said.cause.sets
    }
    one_for_all = any(all(setting in whole or whole in setting for setting in mentioned) for whole in mentioned)
    if not mentioned or one_for_all:
        return quoted
    return [one for one in quoted if one.time is not None or (isinstance(one.said, Blocked) and one.said.cause.sets)]


def _kind(time: Stamp) -> tuple[bool, bool, bool]:
    """The kind of a time; only times of one kind can be compared."""
    return time.dated, time.dated and time.offset is not None, time.moment.year == LEAP_YEAR


def _instant(heard: Heard) -> datetime:
    return heard.time.instant if heard.time is not None else datetime.min


class _Reader:
    """Reads one file."""

    def __init__(self, log: Log, name: str, setting: Setting):
        self.heard: list[Heard] = []
        self._log, self._name, self._setting = log, name, setting
        self._zone = setting.zone(name)
        self._before: deque[str] = deque(maxlen=LOOKED_BACK)
        self._dumps = Dumps()
        self._frames = Frames()
        self._table = Table()
        self._listing = Listing()
        self._lists = Lists()
        self._rows = Rows()
        self._points = Datapoints()
        self._hour, self._days = 0, 0
        self._last = (0, "")
        self._first: list[tuple[int, str]] = []
        self._programs: set[int] = set()
        self._only_named: set[int] = set()
        self._begins: Stamp | None = None
        self._whole = ""
        self._headed = ""

    def read(self, file: BinaryIO) -> None:
        plain = (without_colours(line) for line in lines_of(file, self._name))
        raw = rewrapped(with_stacks(without_soft_breaks(joined(self._counted(plain)))))
        after = deque(islice(raw, WRAPPED))
        read = 0  # a dump in one line becomes many lines with its number
        while after:
            read += 1
            count, line = after.popleft()
            after.extend(islice(raw, 1))
            if read <= RECOGNISED_IN:
                unknown, lowered = BROKERS.keys() - self._log.brokers, line.lower()
                self._log.brokers.update(broker for broker in unknown if BROKERS[broker].found(line, lowered))
                self._log.beginning.append(line)
            self._line(count, line, [text for _, text in after])
            if self._begins is None and read <= LOOKED_BACK:
                self._begins = self._time_before()
        self._end_listing()
        for client, said in self._dumps.ended():
            self._hear(said, client, self._dumps.time)
        self._cut_off()
        self._retyped()
        last = self._time_before()
        begins = self._begins
        in_dumps = self._dumps.time is not None  # dumps stand one behind the other, whatever clock dated them
        if begins is not None and last is not None and not in_dumps and _is_reversed(begins, last, self.heard):
            self.heard.reverse()
            begins, last = last, begins
        self._log.spans[self._name] = (begins, last) if begins is not None and last is not None else None
        self._dated_by_file()

    def _retyped(self) -> None:
        """Search an excerpt without a told or quoted message for a retyped message."""
        if self.heard or self._log.lines > MOST_LINES:
            return
        for count, text in self._first[:MOST_RESTS]:
            rest = completed(as_logged(without_mark(text)))
            if rest is not None and count not in self._programs | self._only_named:
                self._hear(rest, count, None)
        if self.heard:
            self._log.quoted = [one for one in self._log.quoted if one.file != self._name]
        if self.heard or self._log.quoted:
            return
        texts = [text for _, text in self._first]
        told = (
            (count, text, said)
            for count, text, said in retyped(self._first)
            if count not in self._programs | self._only_named
            and not is_code(text)
            and TEMPLATE.search(text) is None
            and not goes_through_policies(texts[max(0, count - WRAPPED) : count + WRAPPED - 1])
            and not of_a_program(text, texts[: count - 1], texts[count : count + WRAPPED])
        )
        for count, text, said in islice(told, 1):
            self._quotes(Heard(said, self._name, count, None), count, text, logged(text))
            return
        if not self._programs and not any(map(is_code, texts)):
            for count, report in worded(self._first, names(self._log.beginning)):
                self._log.quoted.append(Heard(report, self._name, count, None))

    def _put_aside(self, reason: str, count: int, text: str) -> None:
        self._log.aside[reason] += 1
        if sum(sample.reason == reason for sample in self._log.samples) < SAMPLES:
            self._log.samples.append(Aside(self._name, count, reason, text.strip()[:SHOWN]))

    def _cut_off(self) -> None:
        """Check whether the last line ends in the middle of a message."""
        count, text = self._last
        if count in self._programs | self._only_named or any(heard.line == count for heard in self.heard):
            return
        found = begun(text)
        if found is not None:
            front, said = found
            self._hear(said, count, self._time(front) or self._time_before())

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        before = self._log.lines
        try:
            for line in lines:
                self._log.lines += 1
                yield line
        except UNREADABLE as error:
            if self._name not in self._setting.in_folders:
                raise
            count = self._log.lines - before
            read = f"only its first {counted(count, 'lines')} are read: " if count else "is not read: "
            self._log.left_out.append(f"{self._name} {read}{getattr(error, 'expected', error)}")

    def _line(self, count: int, line: str, after: list[str]) -> None:
        self._whole = line
        self._headed = headed(line) or self._headed
        if len(self._first) < MOST_LINES:
            self._first.append((count, line))
        self._count_days(line)
        if any(character.isalnum() for character in line):
            self._last = count, line
        signs = signs_of(line)
        if other := trouble(signs):
            self._log.troubles[other] = f"{self._name}:{count}"
        told = len(self.heard)
        for point in self._points.fed(line):
            self._tell(count, point, [])
        if len(self.heard) > told:
            self._before.append(line)
            return
        if "{" in line and (answered := saved.told(as_json(line))):
            self._end_listing()
            for said in answered:
                self._hear(said, count, self._time_before())
            self._before.append(line)
            return
        is_marked = not signs.isdisjoint(IS_MARK)
        recorded = "{" in line and (is_marked or BYTES_OF_JOURNALD in line or any(map(line.__contains__, FRAMES)))
        whole = [without_colours(text) for text in unwrapped(line)] if recorded else [line]
        if len(whole) == 1:
            whole = lines_of_field(whole[0])
        for text in whole:
            if self._listed(count, text):
                continue
            own = signs if text is line else signs_of(text)
            if self._lists.takes(text):
                for said in self._lists.said(text):
                    self._hear(said, count, self._time_before())
                self._before.append(text)
                continue
            if self._rows.takes(text, own):
                for said in self._rows.said(text):
                    self._hear(said, count, self._time(text[:SHOWN]) or self._time_before())
                self._before.append(text)
                continue
            row = self._table.fed(text)
            if row is not None:
                self._hear(row, count, self._time_before())
            for said in self._frames.fed(text):
                self._hear(said, count, self._time(text[:SHOWN]) or self._time_before())
            stack = without_entities(text)
            if self._dumps.may_tell(own if stack is text else signs_of(stack)):
                time_of = partial(self._time, text[:SHOWN])
                before = self._before[-1] if self._before else ""
                for number, said in self._dumps.fed(stack, count, self._time_before, time_of, before):
                    self._hear(said, number, self._dumps.time)
            plain = as_logged(text)
            own, text = own if plain is text else signs_of(plain), plain
            if not own.isdisjoint(IS_MARK):
                before_it = len(self.heard)
                self._tell(count, text, after)
                if len(self.heard) > before_it:
                    self._dumps.explained()
            elif after and _split(text, after[0]):
                self._tell(count, f"{text.rstrip()} {_continued(as_logged(after[0]))}", after[1:])
            if text.strip() == BETWEEN_MATCHES:
                self._before.clear()  # a time in front of a gap is not the time of lines behind the gap
            else:
                self._before.append(text)

    def _listed(self, count: int, text: str) -> bool:
        """Whether the line belongs to a list of attributes, which is judged at its end."""
        if self._listing.takes(count, text):
            return True
        if self._listing.ends_before(text):
            self._end_listing()
            return self._listing.begins(text) or self._listing.takes(count, text)
        return True

    def _end_listing(self) -> None:
        """Judge the attributes of a list together; if that shows no limit, each attribute tells for itself."""
        listing, self._listing = self._listing, Listing()
        whole, self._whole = self._whole, ""
        together = list(listing.said()) if listing.lines else []
        for said in together:
            self._hear(said, listing.lines[0][0], self._time_before())
        for count, text in listing.lines:
            if not together and marked(plain := as_logged(text)):
                self._tell(count, plain, [])
            self._before.append(text)
        self._whole = whole

    def _hear(self, said: Said, count: int, time: Stamp | None) -> None:
        of = origin(self._whole) or self._headed
        self.heard.append(Heard(said, self._name, count, time, of, in_front_of_time(self._whole)))

    def _tell(self, count: int, text: str, after: list[str]) -> None:
        if JSON_STRING.match(text):
            text = text.replace('\\"', '"').rstrip(' ,"')
        quoted: Heard | None = None
        whole_message = False
        plain: Heard | None = None
        figures = False
        forms = forms_of(text)
        together = _together(text, self._before, after)
        joins = any(not form.cut_off and form.may_match(together) for form in forms)
        around = ((False, *whole) for whole in (_wrapped(text, self._before, after) if joins else ()))
        for cut_off, whole, begins in chain([(False, text, 0)], around, [(True, text, 0)]):
            ends = begins + len(text.strip())
            for form in forms:
                if form.cut_off is not cut_off or not form.may_match(whole):
                    continue
                matches = (each for each in form.pattern.finditer(whole) if each.start() < ends and each.end() > begins)
                told = [(each, form.says(each.groupdict())) for each in matches]
                told.sort(key=lambda one: _says_nothing(one[1]))
                found, said = next((one for one in told if one[1] is not None), (None, None))
                figures = figures or bool(told) or (whole is not text and form.pattern.search(whole) is not None)
                if found is None or said is None:
                    continue
                if form.sets:
                    self._sets(form, count, text)
                    continue
                if isinstance(said, Blocked) and not said.seconds and "seconds" in form.pattern.groupindex:
                    longer = (each for each, _ in _wrapped(text, self._before, after) if each.startswith(whole))
                    said = _with_time_blocked(form, found.start(), said, longer)
                front = whole[: found.start()]
                if is_made_up(said) and is_dated(front):
                    said = without_code(said)  # a line of a log whose names somebody blanked out
                said = said if is_made_up(said) else with_clean_names(said)
                if PREVENTED.search(front):
                    self._only_named.add(count)
                    continue
                if SEARCHED.search(front) or DENIED.search(front) or is_linked(whole, found):
                    continue
                behind = whole[found.end() :]
                alone = is_prefix(front)
                if not alone and (record := record_in(front)):
                    front, alone = record, True
                if time_in(front) is None and (
                    TEMPLATE.search(whole, found.start(), found.start() + LOOKED_BEHIND) is not None
                    or of_a_program(text, self._before, after)
                    or (not alone and (is_code(text) or in_a_call(front, found[0][-1] + behind)))
                ):
                    self._programs.add(count)
                    self._put_aside(PROGRAM, count, text)
                    return
                if is_under_a_heading(text, [*self._before], after):
                    self._only_named.add(count)
                    self._put_aside(QUOTED, count, text)
                    return
                tells = alone and not is_explained(front, behind)
                named = False
                about = (
                    is_made_up(said)
                    or (not _is_dated_notice(said, front) and is_source_code(whole, found.start()))
                    or (named := is_named(front, whole[found.start() :], found[0]))
                )
                if named:
                    self._only_named.add(count)
                if tells and not about:
                    if _lacks_a_name(said) and not front.strip(" >"):
                        said, front = self._fuller(text, after) or (said, front)
                    exported = EXPORTED.match(front) and self._time_before()
                    time = exported or self._time(front) or self._time_before()
                    if _says_nothing(said):
                        plain = plain or Heard(said, self._name, count, time)
                        continue
                    self._hear(said, count, time)
                    return
                if is_listed(text, [*self._before, *after]):
                    self._only_named.add(count)
                    self._put_aside(QUOTED, count, text)
                    return
                if quoted is None or _says_nothing(quoted.said):
                    quoted = Heard(without_code(said), self._name, count, self._time(front))
                    whole_message = len(found[0]) >= NAME or logged(front)
                if tells:
                    self._quotes(quoted, count, text, whole_message)
                    return
        if plain is not None:
            self.heard.append(plain)
        if quoted is not None and (plain is None or not _says_nothing(quoted.said)):
            if not self._told_by_fields(count, text):
                self._quotes(quoted, count, text, whole_message)
        elif plain is None and not figures and not all(form.common for form in forms):
            self._put_aside(UNKNOWN, count, text)

    def _sets(self, form: LineForm, count: int, text: str) -> None:
        """Note the limits that a line sets; a line that is commented out sets none."""
        if text.lstrip().startswith(COMMENTED_OUT) and COMMAND not in text:
            return
        for found in form.pattern.finditer(text):
            said = form.says(found.groupdict())
            if said is not None:
                self._log.quoted.append(Heard(said, self._name, count, self._time(text[: found.start()])))

    def _told_by_fields(self, count: int, text: str) -> bool:
        """Whether a field of a JSON line shows something, for example in an answer of a broker's management."""
        before = len(self.heard)
        fields = fields_of(text)
        for number, each in enumerate(fields, 1):
            if marked(each):
                self._tell(count, each, fields[number : number + WRAPPED])
        return len(self.heard) > before

    def _fuller(self, text: str, after: list[str]) -> tuple[Said, str] | None:
        """The message together with the name that a mail left in the line in front, and the text in front of both."""
        forms = forms_of(text)
        for whole, begins in _wrapped(text, self._before, after):
            for form in forms:
                may = begins and not form.cut_off and form.may_match(whole)
                found = form.pattern.search(whole) if may else None
                said = form.says(found.groupdict()) if found is not None else None
                if found is None or said is None or _lacks_a_name(said):
                    continue
                if is_prefix(whole[: found.start()]):
                    return said, whole[: found.start()]
        return None

    def _quotes(self, quoted: Heard, count: int, text: str, whole_message: bool) -> None:
        """Note a quoted message; the mere name of a message without a limit tells nothing in a sentence and is only put
        aside."""
        said = quoted.said
        if whole_message or not isinstance(said, Blocked) or said.cause.tells_limit:
            self._log.quoted.append(quoted)
        self._put_aside(QUOTED, count, text)

    def _time(self, front: str) -> Stamp | None:
        found = time_in(front)
        if found is None:
            return None
        if found.dated or found.moment.year == LEAP_YEAR:
            return self._with_year(found).within(self._zone)
        day = (self._setting.day or NO_DAY) + timedelta(days=self._days)
        there = replace(found, moment=datetime.combine(day, found.moment.time()))
        if self._setting.day is not None:
            there = replace(there, text=f"{found.text} of {day}")
        return there.within(self._zone)

    def _with_year(self, time: Stamp) -> Stamp:
        day = self._setting.day
        if time.dated or day is None:
            return time
        try:
            return replace(time, moment=time.moment.replace(year=day.year), text=f"{time.text} {day.year}")
        except ValueError:
            return time  # 29 February, but the option's year is no leap year

    def _time_before(self) -> Stamp | None:
        """The time of the nearest earlier line that begins with a time."""
        for line in reversed(self._before):
            found = self._time(unwrapped(line)[0][:SHOWN] if "{" in line else line[:SHOWN])
            if found is not None:
                return found
        return None

    def _count_days(self, line: str) -> None:
        """Count a new day if a line begins with a time of day long before that of the previous line."""
        found = HOUR.match(line)
        if found is not None:
            hour = int(found[1])
            self._days += self._hour - hour >= DAY_BREAK
            self._hour = hour

    def _dated_by_file(self) -> None:
        """Date times that lack a date by the file's modification time, if that agrees with the time of the last
        line."""
        last = self._time_before()
        undated = [each.time for each in self.heard if each.time is not None and each.time.moment.year < LEAP_YEAR]
        if last is None or last.moment.year >= LEAP_YEAR or not undated:
            return
        for written in self._setting.written.get(self._name, ()):
            at = datetime.combine(written.date(), last.moment.time())
            if abs(written - at) <= WRITTEN_WITHIN:
                shift = at - last.moment
                self.heard = [_shifted(each, shift, self._zone) for each in self.heard]
                return


def _is_reversed(begins: Stamp, last: Stamp, heard: list[Heard]) -> bool:
    """Whether a file has the newest line first, as consoles export logs; times of day alone do not show it."""
    times = [begins, *(each.time for each in heard if each.time is not None), last]
    if any(not time.dated for time in times) or len({_kind(time) for time in times}) > 1:
        return False
    instants = [time.instant for time in times]
    return instants[0] > instants[-1] and instants == sorted(instants, reverse=True)


def _with_time_blocked(form: LineForm, start: int, said: Blocked, longer: Iterable[str]) -> Blocked:
    """The statement with the seconds that a wrapped message tells at its very end, in a text joined with more lines."""
    for whole in longer:
        again = form.pattern.match(whole, start)
        fuller = form.says(again.groupdict()) if again is not None else None
        if not isinstance(fuller, Blocked) or not fuller.seconds or fuller.cause != said.cause:
            continue
        if said.place in ("", fuller.place) and said.client in ("", fuller.client):
            return fuller
    return said


def is_dated(front: str) -> bool:
    """Whether the text in front of a message is that of a log, with a day and a time."""
    time = time_in(front)
    return time is not None and time.dated and is_prefix(front)


def _is_dated_notice(said: Said, front: str) -> bool:
    """Whether a dated line of a log reports no stop, but for example the start of a broker.

    A line about a start may list settings, which look like source code.
    """
    return isinstance(said, Notice) and is_prefix(front) and time_in(front) is not None


def _says_nothing(said: Said | None) -> bool:
    """Whether figures tell of no reached limit; another message in the same line may tell more."""
    return isinstance(said, Notice) and said.cause is None and not (said.started or said.stopped or said.release)


def _lacks_a_name(said: Said) -> bool:
    """Whether a broker's line lacks the name of its queue or channel, for example because its beginning is missing."""
    if not isinstance(said, Blocked | Released):
        return False
    return (said.place or "").endswith(NOT_NAMED) or said.client == A_CHANNEL


def _split(text: str, behind: str) -> bool:
    """Whether a mark begins at the end of one line and ends in the next."""
    return split(text.rstrip(), _continued(behind))


def _shifted(heard: Heard, shift: timedelta, zone: tzinfo | None) -> Heard:
    time = heard.time
    if time is None or time.moment.year >= LEAP_YEAR:
        return heard
    moment = time.moment + shift
    text = f"{time.text} of {moment.date()}, when the file was written"
    return replace(heard, time=replace(time, moment=moment, text=text).within(zone))


def _together(text: str, before: deque[str], after: list[str]) -> str:
    """All that stands in any of the texts of `_wrapped`."""
    lines = [*list(before)[-WRAPPED:], text, *after]
    return "\n".join([" ".join(map(_continued, lines)), *lines])


def _wrapped(text: str, before: deque[str], after: list[str]) -> Iterator[tuple[str, int]]:
    """The line joined with neighbouring lines, as mails wrap lines, and the position of the line in each joined
    text."""
    following = takewhile(lambda line: _goes_on(line) and time_in(line[:60]) is None, after)
    wholes = list(accumulate((_continued(line) for line in following), "{} {}".format, initial=text.rstrip()))
    yield from ((whole, 0) for whole in wholes[1:])
    if begins_with_time(text):
        return  # it is no rest of an earlier line
    for back in range(1, min(WRAPPED, len(before)) + 1):
        first, *others = list(before)[-back:]
        start = " ".join([first.strip(), *map(_continued, others)])
        yield from ((f"{start} {_continued(whole)}", len(start) + 1) for whole in wholes)


def _goes_on(line: str) -> bool:
    return bool(_continued(line))


def _continued(line: str) -> str:
    """The text of a continuation line, without the marks of a mail that quotes it."""
    return without_mark(line.strip())
