"""Reads lines of logs as they come (pasted, grepped, wrapped by other tools) and collects what they say of
producers."""

import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import chain, islice
from lzma import LZMAError
from typing import BinaryIO

from tidegate.record.counts import counted
from tidegate.record.errors import BadInput
from tidegate.why import saved
from tidegate.why.arrays import without_arrays
from tidegate.why.beginnings import completed
from tidegate.why.brokers import named_in
from tidegate.why.clock import LOOKED_AT, Clock, are_reversed, kind
from tidegate.why.datapoints import Datapoints
from tidegate.why.decoding import lines_of
from tidegate.why.dumps import Dumps
from tidegate.why.frames import Frames
from tidegate.why.heard import NOTHING_SAID, Aside, Heard, Log, Setting
from tidegate.why.json_stacks import with_stacks
from tidegate.why.lines.form import LineForm
from tidegate.why.listings import Listing
from tidegate.why.lists import Lists
from tidegate.why.marks import IS_MARK, forms_of, marked, signs_of
from tidegate.why.matches import lacks_a_name, messages, says_nothing, with_name_in_front, with_time_blocked
from tidegate.why.mentions import NAME, TEMPLATE, goes_through_policies, is_condition, is_glossed, without_code
from tidegate.why.neighbours import WRAPPED, continued, is_split
from tidegate.why.notations import as_json
from tidegate.why.notices import Blocked, Said
from tidegate.why.openings import begun
from tidegate.why.prefixes import in_front_of_time
from tidegate.why.records import fields_of, joined, lines_of_field, unwrapped
from tidegate.why.retyped import MOST_LINES, retyped
from tidegate.why.rewrapped import rewrapped, without_mark
from tidegate.why.roles import Placed, Role, placed
from tidegate.why.rows import Rows
from tidegate.why.soft_breaks import without_soft_breaks
from tidegate.why.sources import headed, origin
from tidegate.why.tables import Table
from tidegate.why.texts import NAMES, is_code, logged, names, of_a_program
from tidegate.why.times import Stamp
from tidegate.why.troubles import trouble
from tidegate.why.worded import worded
from tidegate.why.wrappings import BETWEEN_MATCHES, EXPORTED, JSON_STRING, as_logged, without_colours, without_entities

LOOKED_BACK = 30
"""The most lines of a record in front of the line that tells, such as the first line of java.util.logging."""
RECOGNISED_IN = 1000
"""The number of lines at the beginning of a file that are searched for signs of a broker."""
MOST_RESTS = 40
"""The number of lines of an excerpt that are tried as lines without their beginning."""
SAMPLES = 3
SHOWN = 120
"""The number of characters shown of a line that was put aside."""
QUOTED = "other text stands in front of the broker's message"
UNKNOWN = "no form of this line is known"
OF_A_DIFFERENCE = re.compile(r"\A[+-](?=\[?\d{4}-\d\d-\d\d[T ]\d\d:)")
"""The mark of an added or removed line in a difference of two logs."""
COMMENTED_OUT = ("#", "%", ";", "//", "--", "*")
COMMAND = "rabbitmqctl"
PROGRAM = "the line is source code or a comment"
BYTES_OF_JOURNALD = '"MESSAGE":['
FRAMES = ("\\tat ", "\\n   at ", "\\n    at ")
"""What stands in front of the frames of a stack in a record."""
UNREADABLE = (OSError, EOFError, zlib.error, LZMAError, BadInput)
"""The errors of reading a packed file that is cut off, damaged, or packed in an unsupported way."""


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
    log.in_order = len(heard) == 1 or (len(told) == len(times) and len({kind(time) for time in told}) < 2)
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


def _without_difference(line: str) -> str:
    """The line without the mark of a difference of two logs."""
    return OF_A_DIFFERENCE.sub("", line) if line.startswith(("+", "-")) else line


def _instant(heard: Heard) -> datetime:
    return heard.time.instant if heard.time is not None else datetime.min


class _Reader:
    """Reads one file."""

    def __init__(self, log: Log, name: str, setting: Setting):
        self.heard: list[Heard] = []
        self._log, self._name, self._setting = log, name, setting
        self._before: deque[str] = deque(maxlen=LOOKED_BACK)
        self._clock = Clock(name, setting, self._before)
        self._dumps = Dumps()
        self._frames = Frames()
        self._table = Table()
        self._listing = Listing()
        self._lists = Lists()
        self._rows = Rows()
        self._points = Datapoints()
        self._last = (0, "")
        self._first: list[tuple[int, str]] = []
        self._programs: set[int] = set()
        self._only_named: set[int] = set()
        self._begins: Stamp | None = None
        self._whole = ""
        self._headed = ""

    def read(self, file: BinaryIO) -> None:
        plain = (without_colours(_without_difference(line)) for line in lines_of(file, self._name))
        raw = rewrapped(with_stacks(without_soft_breaks(without_arrays(joined(self._counted(plain))))))
        after = deque(islice(raw, WRAPPED))
        read = 0  # a dump in one line becomes many lines with its number
        while after:
            read += 1
            count, line = after.popleft()
            after.extend(islice(raw, 1))
            if read <= RECOGNISED_IN:
                self._log.brokers |= named_in(line, self._log.brokers)
                self._log.beginning.append(line)
            self._line(count, line, [text for _, text in after])
            if self._begins is None and read <= LOOKED_BACK:
                self._begins = self._clock.before(of_block=False)
        self._end_listing()
        for client, said in self._dumps.ended():
            self._hear(said, client, self._dumps.time)
        self._cut_off()
        self._retyped()
        begins, last = self._begins, self._clock.before(of_block=False)
        # dumps stand one behind the other, whatever clock dated them
        if begins is not None and last is not None and self._dumps.time is None:
            times = [each.time for each in self.heard if each.time is not None]
            if are_reversed([begins, *times, last]):
                self.heard.reverse()
                begins, last = last, begins
        self._log.spans[self._name] = (begins, last) if begins is not None and last is not None else None
        self.heard = self._clock.dated_by_file(self.heard)

    def _retyped(self) -> None:
        """Search an excerpt without a told or quoted message for a retyped message."""
        if self.heard or self._log.lines > MOST_LINES:
            return
        texts = [text for _, text in self._first]
        self._only_named |= {count for count, text in self._first if is_condition(text) or is_glossed(text, texts)}
        for count, text in self._first[:MOST_RESTS]:
            rest = completed(as_logged(without_mark(text)))
            if rest is not None and count not in self._programs | self._only_named:
                self._hear(rest, count, None)
        if self.heard:
            self._log.quoted = [one for one in self._log.quoted if one.file != self._name]
        if self.heard or self._log.quoted:
            return
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
            read = [(count, text) for count, text in self._first if not is_condition(text)]
            for count, report in worded(read, names(self._log.beginning)):
                self._log.quoted.append(Heard(report, self._name, count, None))

    def _put_aside(self, reason: str, count: int, text: str) -> None:
        self._log.aside[reason] += 1
        if sum(sample.reason == reason for sample in self._log.samples) < SAMPLES:
            whole = text.strip()
            shown = whole if len(whole) <= SHOWN else f"{whole[:SHOWN]} …"
            self._log.samples.append(Aside(self._name, count, reason, shown))

    def _cut_off(self) -> None:
        """Check whether the last line ends in the middle of a message."""
        count, text = self._last
        if count in self._programs | self._only_named or any(heard.line == count for heard in self.heard):
            return
        found = begun(text)
        if found is not None:
            front, said = found
            self._hear(said, count, self._clock.of(front) or self._clock.before())

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
        self._clock.count_days(line)
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
                self._hear(said, count, self._clock.before())
            self._before.append(line)
            return
        recorded = "{" in line and (
            not signs.isdisjoint(IS_MARK) or BYTES_OF_JOURNALD in line or any(map(line.__contains__, FRAMES))
        )
        whole = [without_colours(text) for text in unwrapped(line)] if recorded else [line]
        for text in lines_of_field(whole[0]) if len(whole) == 1 else whole:
            if not self._listed(count, text):
                self._text(count, text, signs if text is line else signs_of(text), after)

    def _text(self, count: int, text: str, signs: frozenset[str], after: list[str]) -> None:
        """Read a line, or one of the lines that a record holds."""
        if self._lists.takes(text):
            for said in self._lists.said(text):
                self._hear(said, count, self._clock.before())
            self._before.append(text)
            return
        if self._rows.takes(text, signs):
            for said in self._rows.said(text):
                self._hear(said, count, self._clock.of_line_or_before(text))
            self._before.append(text)
            return
        row = self._table.fed(text)
        if row is not None:
            self._hear(row, count, self._clock.before())
        for said in self._frames.fed(text):
            self._hear(said, count, self._clock.of_line_or_before(text))
        self._stack(count, text, signs)
        plain = as_logged(text)
        signs, text = signs if plain is text else signs_of(plain), plain
        if not signs.isdisjoint(IS_MARK):
            before_it = len(self.heard)
            self._tell(count, text, after)
            if len(self.heard) > before_it:
                self._dumps.explained()
        elif after and is_split(text, after[0]):
            self._tell(count, f"{text.rstrip()} {continued(as_logged(after[0]))}", after[1:])
        if text.strip() == BETWEEN_MATCHES:
            self._before.clear()  # a time in front of a gap is not the time of lines behind the gap
        else:
            self._before.append(text)

    def _stack(self, count: int, text: str, signs: frozenset[str]) -> None:
        """Read a line as one of a dump of threads."""
        plain = without_entities(text)
        if self._dumps.may_tell(signs if plain is text else signs_of(plain)):
            time_of = partial(self._clock.of, text[:LOOKED_AT])
            before = self._before[-1] if self._before else ""
            for number, said in self._dumps.fed(plain, count, self._clock.before, time_of, before):
                self._hear(said, number, self._dumps.time)

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
            self._hear(said, listing.lines[0][0], self._clock.before())
        for count, text in listing.lines:
            if not together and marked(plain := as_logged(text)):
                self._tell(count, plain, [])
            self._before.append(text)
        self._whole = whole

    def _hear(self, said: Said, count: int, time: Stamp | None) -> None:
        of = origin(self._whole) or self._headed
        self.heard.append(Heard(said, self._name, count, time, of, in_front_of_time(self._whole)))

    def _tell(self, count: int, text: str, after: list[str]) -> None:
        """Hear the first message that a line tells, or else note the one that it quotes."""
        if JSON_STRING.match(text):
            text = text.replace('\\"', '"').rstrip(' ,"')
        if "==" in text and is_condition(text):
            self._only_named.add(count)
            self._put_aside(PROGRAM, count, text)
            return
        quoted: Heard | None = None
        plain: Heard | None = None
        whole_message = figures = False
        for message in messages(text, self._before, after):
            figures = True
            if message is None:
                continue
            if message.form.sets:
                self._sets(message.form, count, text)
                continue
            said = with_time_blocked(message, text, self._before, after)
            found = placed(message, said, text, self._before, after)
            if found.is_named or found.role in (Role.PREVENTED, Role.LISTED):
                self._only_named.add(count)
            if found.role in (Role.PREVENTED, Role.DENIED):
                continue
            if found.role is Role.OF_A_PROGRAM:
                self._programs.add(count)
                self._put_aside(PROGRAM, count, text)
                return
            if found.role is Role.LISTED:
                self._put_aside(QUOTED, count, text)
                return
            if found.role is Role.TOLD:
                said, time = self._told(found, text, after)
                if says_nothing(said):
                    plain = plain or Heard(said, self._name, count, time)
                    continue
                self._hear(said, count, time)
                return
            if quoted is None or says_nothing(quoted.said):
                quoted = Heard(without_code(found.said), self._name, count, self._clock.of(found.front))
                whole_message = len(message.found[0]) >= NAME or logged(found.front)
            if found.is_alone:
                self._quotes(quoted, count, text, whole_message)
                return
        if plain is not None:
            self.heard.append(plain)
        if quoted is not None and (plain is None or not says_nothing(quoted.said)):
            if not self._told_by_fields(count, text):
                self._quotes(quoted, count, text, whole_message)
        elif plain is None and not figures and not all(form.common for form in forms_of(text)):
            self._put_aside(UNKNOWN, count, text)

    def _told(self, found: Placed, text: str, after: list[str]) -> tuple[Said, Stamp | None]:
        """The statement and the time of a message that a log tells; a mail may have left its name in another line."""
        said, front = found.said, found.front
        if lacks_a_name(said) and not front.strip(" >"):
            said, front = with_name_in_front(text, self._before, after) or (said, front)
        exported = EXPORTED.match(front) and self._clock.before()
        return said, exported or self._clock.of(front) or self._in_front_of_record() or self._clock.before()

    def _in_front_of_record(self) -> Stamp | None:
        """The time in front of a JSON record in its line; None if the line holds no record, or no time."""
        front, brace, _ = self._whole[:LOOKED_AT].partition("{")
        return self._clock.of(front) if brace else None

    def _sets(self, form: LineForm, count: int, text: str) -> None:
        """Note the limits that a line sets; a line that is commented out sets none."""
        if text.lstrip().startswith(COMMENTED_OUT) and COMMAND not in text:
            return
        for found in form.pattern.finditer(text):
            said = form.says(found.groupdict())
            if said is not None:
                self._log.quoted.append(Heard(said, self._name, count, self._clock.of(text[: found.start()])))

    def _told_by_fields(self, count: int, text: str) -> bool:
        """Whether a field of a JSON line shows something, for example in an answer of a broker's management."""
        before = len(self.heard)
        fields = fields_of(text)
        for number, each in enumerate(fields, 1):
            if marked(each):
                self._tell(count, each, fields[number : number + WRAPPED])
        return len(self.heard) > before

    def _quotes(self, quoted: Heard, count: int, text: str, whole_message: bool) -> None:
        """Note a quoted message; the mere name of a message without a limit tells nothing in a sentence and is only put
        aside."""
        said = quoted.said
        if whole_message or not isinstance(said, Blocked) or said.cause.tells_limit:
            self._log.quoted.append(quoted)
        self._put_aside(QUOTED, count, text)
