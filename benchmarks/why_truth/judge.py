"""Judges answers of `tidegate why` by the truth in the trace."""

import re
from dataclasses import dataclass

import marks
from layouts import Record
from truth import Instant, Limit, State

from tidegate.why.answer import Answer, Held
from tidegate.why.answer import State as Said

RIGHT, UNTOLD, UNSHOWN, WRONG = "right", "cannot be told although shown", "cannot be told, not shown", "wrong"
VERDICTS = (RIGHT, UNTOLD, UNSHOWN, WRONG)
TOLERANCE = 1000
"""ms."""
NOT_NAMED = "that the line does not name"
OPENED = 10
"""The records behind the line of a reopened queue in which the lines of its channels stand."""
OF_A_LIMIT = r"(?:[mM]ax-?[sS]ize(?:-bytes)?(?: on address)?(?:=|: )|Capacity : |[lL]imit(?: \(|=)|reached )"
"""The text before the figure of a limit."""
LATE = 100
"""The ms by which the line of a stop may precede the last time at which its destination was seen below its limits."""
CLOCK = re.compile(r"(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?(?: ?([AP])M)?")
OF_A_DAY = 24 * 3600
BLOCKED = (Said.BLOCKED, Said.LIMIT_UNKNOWN)


@dataclass(frozen=True)
class Judged:
    """The verdict on each question, and what was expected if a verdict is not right."""

    verdicts: dict[str, str]
    why: str = ""

    @property
    def overall(self) -> str:
        """Wrong or not told if any question is; otherwise the verdict on the first question."""
        bad = [verdict for verdict in (WRONG, UNTOLD) if verdict in self.verdicts.values()]
        return bad[0] if bad else next(iter(self.verdicts.values()))


class Judge:
    """Judges answers about one instant and the kept part of the log."""

    def __init__(
        self, of: str, at: Instant, kept: list[Record], at_resume: bool, queue: str = "", configured: bool = False
    ):
        self._of, self._at, self._kept, self._at_resume = of, at, kept, at_resume
        self._configured = configured
        self._held = (queue,) if queue and queue in at.blocked else at.blocked

    def judged(self, answer: Answer) -> Judged:
        """The verdicts on an answer."""
        match self._at.state:
            case State.BLOCKED | State.SEVERAL:
                return self._blocked(answer)
            case State.REFUSED:
                return self._refused(answer)
            case _:
                return self._free(answer)

    def _shows(self) -> list[Record]:
        """Lines that show, since the destination was last seen below its limits, that it or what all share blocks."""
        since = self._at.began_after - LATE
        disk = self._of == "artemis" and not self._at.reached
        shared = disk or any(limit.cause == "disk-quota" for limit in self._at.limits)
        return [
            each
            for each in self._kept
            if (not each.time or each.time >= since)
            and (
                any(marks.stops(self._of, each.line, name) for name in self._held or (self._at.destination,))
                or (shared and marks.of_all(self._of, each.line))
            )
        ]

    def _blocked(self, answer: Answer) -> Judged:
        shows, held = self._shows(), answer.held
        if answer.state not in BLOCKED or held is None:
            if answer.state is Said.UNKNOWN or not shows:
                return self._not_told(shows)
            return Judged({"on": WRONG}, f"expected blocked, not {answer.state}")
        name = next((name for name in self._held if _is(held.place, name)), "")
        for_all = held.place.startswith("virtual host") or not held.place_is
        if not name and not for_all:
            if not held.place or held.place.endswith(NOT_NAMED):
                return self._not_told(shows, "destination")
            if any(_is(held.place, each) for each in self._at.perhaps):
                return Judged({"on": RIGHT})
            return self._another(held, shows)
        verdicts = {"on": RIGHT, "destination": RIGHT}
        if name != self._at.destination:
            return Judged(verdicts)
        mine = [each for each in shows if marks.stops(self._of, each.line, name)]
        said: list[str] = []
        for question, (verdict, expected) in {
            "since": self._since(held, mine),
            "limit": self._limit(held, mine),
            "to go": self._missing(held, mine),
            "file": self._file(held),
        }.items():
            if verdict:
                verdicts[question] = verdict
                said += [f"{question}: {expected}"] * (verdict in (WRONG, UNTOLD))
        return Judged(verdicts, "; ".join(said))

    def _not_told(self, shows: list[Record], question: str = "on") -> Judged:
        verdict = UNTOLD if shows else UNSHOWN
        return Judged({question: verdict}, f"shown by: {shows[-1].line}" if shows else "")

    def _another(self, held: Held, shows: list[Record]) -> Judged:
        place = re.sub(r"^[a-z ]+ (?:queue://|topic://|test/|[\w-]+/)?", "", held.place)
        if shows or self._over(place):
            return Judged(
                {"destination": WRONG}, f"{held.place} is told of, and the trace has {self._at.blocked or 'nobody'}"
            )
        return Judged({"destination": UNSHOWN})

    def _over(self, place: str) -> bool:
        """Whether a line after the last stop of another place shows the end of that stop."""
        last = False
        for place_in, each in enumerate(self._kept):
            if marks.stops(self._of, each.line, place):
                last = False
            elif marks.ends(self._of, each.line, place) and not self._channels_wait(place_in):
                last = True
        return last

    def _channels_wait(self, number: int) -> bool:
        """Whether a queue reopened and no channel was released after that, as in a trimmed log."""
        behind = [each.line for each in self._kept[number : number + OPENED]]
        return "QUE-1004" in behind[0] and not any("CHN-1006" in line for line in behind)

    def _since(self, held: Held, mine: list[Record]) -> tuple[str, str]:
        first = next((each.time for each in mine if each.time), 0)
        if held.since is None:
            return (UNTOLD, "no time is told") if first else (UNSHOWN, "")
        told = CLOCK.search(held.since)
        if told is None:
            return WRONG, f"no clock in {held.since!r}"
        hour = int(told[1]) % 12 + 12 * (told[4] == "P") if told[4] else int(told[1])
        clock = hour * 3600 + int(told[2]) * 60 + int(told[3])
        low = (self._at.began_after - TOLERANCE) // 1000
        high = -(-(self._at.began_before + TOLERANCE) // 1000)
        if (clock - low) % OF_A_DAY <= high - low:
            return RIGHT, ""
        if first and not self._first_kept() and abs(clock - first // 1000 % OF_A_DAY) <= TOLERANCE // 1000:
            return RIGHT, ""
        began = [f"{(each // 1000 % OF_A_DAY) // 3600:02}:{each // 60000 % 60:02}:{each / 1000 % 60:06.3f}"
                 for each in (self._at.began_after, self._at.began_before)]  # fmt: skip
        return (WRONG if mine else UNSHOWN), f"told {held.since}, true between {began[0]} and {began[1]}"

    def _first_kept(self) -> bool:
        """Whether any record from before the stop is kept."""
        times = [each.time for each in self._kept if each.time]
        return bool(times) and times[0] <= self._at.began_after

    def _limit(self, held: Held, mine: list[Record]) -> tuple[str, str]:
        reached = {limit.figure for limit in self._at.reached}
        if not reached or not held.figure:  # an order by management holds beside the limit
            return "", ""
        if held.limit is not None:
            if held.limit not in reached and not mine:
                return UNSHOWN, "the limit was another at an earlier stop, and this one has no line"
            return (RIGHT if held.limit in reached else WRONG), f"told {held.limit}, true {sorted(reached)}"
        text = " ".join(each.line for each in mine).replace(",", "")
        shown = any(re.search(rf"{OF_A_LIMIT}{figure}(?=[ ,;].)", text) for figure in reached)
        return (UNTOLD if shown else UNSHOWN), f"no limit is told, true {sorted(reached)}"

    def _file(self, held: Held) -> tuple[str, str]:
        """Judge the limit that the answer reads from the configuration: it must be the reached limit."""
        if not self._configured or not held.figure:
            return "", ""
        (limit,) = self._at.reached
        shown = [said.shown.partition(" ")[0].replace(",", "") for said in held.configured]
        if str(limit.figure) in shown:
            return RIGHT, ""
        return (WRONG if shown else UNTOLD), f"told {held.configured}, true {limit.figure}"

    def _missing(self, held: Held, mine: list[Record]) -> tuple[str, str]:
        true = {amount for limit in self._at.reached for amount in self._amounts(limit, held.level)}
        if not true:
            return "", ""
        told = held.missing if held.missing is not None else held.usually
        if told is not None and (told in true or held.missing is not None):
            return (RIGHT if told in true else WRONG), f"told {told}, true {sorted(true)}"
        if told is not None:
            return UNSHOWN, "the answer says that another level of release may be configured, and one is"
        return (UNTOLD if self._figures_shown(mine) else UNSHOWN), f"no amount is told, true {sorted(true)}"

    def _amounts(self, limit: Limit, said: int | None) -> set[int]:
        """The amounts to be freed from any seen level, or from the line's level if it lies between two seen ones."""
        if limit.cause == "disk-quota":
            return set()
        levels = {level[1] if limit.cause == "messages" else level[0] for level in self._at.levels}
        if said is not None and levels and min(levels) <= said <= max(levels):
            levels.add(said)
        if self._of == "qpid" and limit.resume is not None:
            return {level - limit.resume + (not self._at_resume) for level in levels if level >= limit.figure}
        if self._of == "qpid":
            return set()
        return {level - limit.figure + 1 for level in levels if level >= limit.figure}

    def _figures_shown(self, mine: list[Record]) -> bool:
        if self._of == "qpid":
            over = any("QUE-1003 : Overfull : Size" in each.line and "Capacity" in each.line for each in mine)
            return over and any(
                "QUE-1004" in each.line and marks.ends("qpid", each.line, self._at.destination) for each in self._kept
            )
        mark = "size is currently" if self._of == "artemis" else "usage="
        return any((mark in each.line or "; maxSize=" in each.line) and "limit" in each.line.lower() for each in mine)

    def _free(self, answer: Answer) -> Judged:
        held = answer.held
        if answer.state not in BLOCKED or held is None:
            return Judged({"on": RIGHT})
        if not _is(held.place, self._at.destination):
            if held.place and held.place_is:
                return self._another(held, [])
            return Judged(
                {"on": UNSHOWN if held.caveat else WRONG}, f"told blocked by {held.reason}, the trace says free"
            )
        if self._at.state is State.NEVER and self._over(self._at.destination):
            return Judged({"on": WRONG}, f"{held.place} is told of, which never blocked")
        shown = self._over(self._at.destination)
        if held.caveat and not shown:
            return Judged({"on": RIGHT})
        return Judged({"on": WRONG if shown else UNSHOWN}, "told blocked, and the trace says it is free")

    def _refused(self, answer: Answer) -> Judged:
        shows = [each for each in self._kept if marks.refuses(self._of, each.line, self._at.destination)]
        held = answer.held
        if answer.state is Said.UNKNOWN or held is None:
            return self._not_told(shows)
        mine = _is(held.place, self._at.destination)
        if answer.state in BLOCKED:
            if mine:
                return Judged(
                    {"on": WRONG if shows else UNSHOWN}, f"told blocked by {held.setting}, the send was refused"
                )
            return (
                self._another(held, []) if not shows else Judged({"on": WRONG}, f"told of {held.place or held.reason}")
            )
        if shows and not (mine and not held.holds) and held.place:
            return Judged({"destination": WRONG}, f"told of {held.place}, refused was {self._at.destination}")
        return Judged({"on": RIGHT})


def _is(place: str, name: str) -> bool:
    """Whether a place such as `queue test/orders` or `destination queue://orders` is the destination."""
    return place.endswith((f" {name}", f"/{name}", f"://{name}")) or place == name
