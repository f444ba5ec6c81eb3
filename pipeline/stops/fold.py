"""Who is stopped, by what and since when: one fold over events, from which all measures of stops follow.

A *hold* is one cause of one destination that stops one party. A party is one sender, all senders of a destination, or
all senders of a broker; the last two are *gates*. The step takes one event and the remembered holds that it concerns:

- a stop begins a hold. Where the hold is on already, it was off in between, unless the log repeats these lines while it
lasts; a line that says for how long it has lasted (`dated`) is a repetition only if it gives the same begin;
- a release ends the holds that it names, and so does closing the sender;
- a new start ends all holds at and below the place that started anew;
- a destination has *room* from the first event that shows space there until the next stop by it.

Texts are codes here. The loop over events is plain Python over arrays, and compiled where there are many events.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidegate.pipeline.work.compiling import can_compile, compiled

Numbers = NDArray[np.int64]
MANY = 50_000
"""The number of events from which on it pays to load the compiled loop from the cache."""
NONE = -1
"""The code for no hold, no text code and no time."""
NO_SUCH = -2
"""The code of a cause that no hold has."""

# the effect of an event on holds
PASSES, OPENS, CLOSES_AT, CLOSES_ALL, CLOSES_GATES, STARTS = range(6)
# columns of an event: its text, its number and time, the begin of the stop that it gives, whether it gives one (DATED),
# and whether it shows room
TEXT, SEQ, TIME, SINCE, DATED, ROOM = range(6)
# columns of a text, which events share: its operation, hold, party and place, and details of the operation
OP, HOLD, PARTY, PLACE, SOURCE, ONLY, REPEATS, ORDERS, TELLS, HOW = range(10)
# columns of a hold that stay constant: its party, place, source and cause
OF_PARTY, OF_PLACE, OF_SOURCE, OF_CAUSE, IS_GATE, IS_ALONE = range(6)
# columns of a hold that change; a hold is off where it has no begin
FROM_SEQ, FROM_TIME, AGAIN, SHARED, FIRST, NEXT, BEFORE, NEXT_HERE, BEFORE_HERE = range(9)
# columns of a party: its first hold, and how many are on; a source has these and whether a release was ever stated
HEAD, ON, GATES_TOLD, SENDERS_TOLD = range(4)
# columns of a place: how many gates and how many senders are stopped there, and since when it has room
GATES_ON, SENDERS_ON, ROOM_SEQ, ROOM_TIME = range(4)
# columns of a hold that ended
ENDED, AT, BY, UNTIL_SEQ, UNTIL, BEGAN_SEQ, BEGAN, SAID_AGAIN, FREE_SEQ, FREE = range(10)
WAS_FIRST, WAS_LAST, FREES, WAS_SHARED = range(10, 14)
END_COLUMNS = 14
TOLD, CLOSED, INFERRED, RESTARTED = range(4)
HOWS = ("told", "closed", "inferred", "restarted")
"""The ways in which a hold ends: a release is stated, the sender is closed, a later line shows that there must have
been a release, or the party that stopped the sender started anew."""


def fold(
    events: Numbers, texts: Numbers, holds: Numbers, kept: Numbers, parties: Numbers, sources: Numbers, places: Numbers,
    within: NDArray[np.bool_], todo: Numbers, ended: Numbers,
) -> int:  # fmt: skip
    """Take events in their order, update the memory, and write the ended holds to `ended`; the result is their number.

    `within[start, place]` says whether a new start concerns a place. `todo` has room for every hold, and `ended` for
    every event and every hold.
    """
    told = 0
    for i in range(events.shape[0]):
        text, seq, time = events[i, TEXT], events[i, SEQ], events[i, TIME]
        op, how, hold, only = texts[text, OP], texts[text, HOW], texts[text, HOLD], texts[text, ONLY]
        source, place = texts[text, SOURCE], texts[text, PLACE]
        ending = 0
        if op == OPENS:
            if kept[hold, FROM_SEQ] != NONE:
                again = kept[hold, AGAIN]
                if events[i, SINCE] > again if events[i, DATED] else not texts[text, REPEATS]:
                    todo[0], ending, how = hold, 1, INFERRED
        elif op in (CLOSES_AT, CLOSES_ALL):
            each = parties[texts[text, PARTY], HEAD]
            while each != NONE:
                if op == CLOSES_ALL or holds[each, OF_PLACE] == place:
                    named = holds[each, OF_CAUSE] == only
                    if named if only != NONE else texts[text, ORDERS] or not holds[each, IS_ALONE]:
                        todo[ending] = each
                        ending += 1
                each = kept[each, NEXT]
        elif op in (CLOSES_GATES, STARTS):
            each = sources[source, HEAD]
            while each != NONE:
                if op == STARTS:
                    concerned = within[only, holds[each, OF_PLACE]]
                else:
                    concerned = holds[each, IS_GATE] == 1 and holds[each, OF_CAUSE] == only
                if concerned:
                    todo[ending] = each
                    ending += 1
                each = kept[each, NEXT_HERE]
        began = told
        for j in range(ending):
            each = todo[j]
            party, at, gate = holds[each, OF_PARTY], holds[each, OF_PLACE], holds[each, IS_GATE]
            ended[told, ENDED], ended[told, AT], ended[told, BY] = each, i, how
            ended[told, UNTIL_SEQ], ended[told, UNTIL] = seq, time
            ended[told, BEGAN_SEQ], ended[told, BEGAN] = kept[each, FROM_SEQ], kept[each, FROM_TIME]
            ended[told, SAID_AGAIN] = kept[each, AGAIN]
            has_room = places[at, ROOM_SEQ] > kept[each, FROM_SEQ]
            ended[told, FREE_SEQ] = places[at, ROOM_SEQ] if has_room else NONE
            ended[told, FREE] = places[at, ROOM_TIME] if has_room else NONE
            if how in (INFERRED, RESTARTED):
                # the end of the hold is unknown; the hold was on when a line last said so
                known = max(kept[each, AGAIN], ended[told, FREE])
                stated = sources[source, GATES_TOLD] if gate else sources[source, SENDERS_TOLD]
                if how == RESTARTED and stated and events[i, SINCE] != NONE:
                    known = events[i, SINCE]
                ended[told, UNTIL] = known
            on = GATES_ON if gate else SENDERS_ON
            places[at, on] -= 1
            parties[party, ON] -= 1
            ended[told, WAS_FIRST], ended[told, WAS_LAST] = kept[each, FIRST], places[at, on] == 0
            ended[told, FREES], ended[told, WAS_SHARED] = 0, kept[each, SHARED]
            before, after = kept[each, BEFORE], kept[each, NEXT]
            if before == NONE:
                parties[party, HEAD] = after
            else:
                kept[before, NEXT] = after
            if after != NONE:
                kept[after, BEFORE] = before
            before, after = kept[each, BEFORE_HERE], kept[each, NEXT_HERE]
            if before == NONE:
                sources[holds[each, OF_SOURCE], HEAD] = after
            else:
                kept[before, NEXT_HERE] = after
            if after != NONE:
                kept[after, BEFORE_HERE] = before
            kept[each, FROM_SEQ] = NONE
            told += 1
        for j in range(began, told):
            ended[j, FREES] = parties[holds[ended[j, ENDED], OF_PARTY], ON] == 0
        if ending == 0 and how == TOLD and op in (CLOSES_AT, CLOSES_ALL, CLOSES_GATES):
            ended[told, ENDED], ended[told, AT], ended[told, BY] = NONE, i, TOLD
            told += 1
        if events[i, ROOM] == 1 and places[place, ROOM_SEQ] == NONE:
            places[place, ROOM_SEQ], places[place, ROOM_TIME] = seq, time
        if op == OPENS:
            if not holds[hold, IS_ALONE]:
                places[place, ROOM_SEQ] = places[place, ROOM_TIME] = NONE
            if kept[hold, FROM_SEQ] == NONE:
                party, gate = texts[text, PARTY], holds[hold, IS_GATE]
                on = GATES_ON if gate else SENDERS_ON
                kept[hold, FROM_SEQ], kept[hold, FROM_TIME] = seq, events[i, SINCE]
                kept[hold, FIRST] = places[place, on] == 0
                places[place, on] += 1
                parties[party, ON] += 1
                head = parties[party, HEAD]
                kept[hold, SHARED] = head != NONE
                if head != NONE:
                    kept[head, SHARED], kept[head, BEFORE] = 1, hold
                kept[hold, NEXT], kept[hold, BEFORE], parties[party, HEAD] = head, NONE, hold
                head = sources[source, HEAD]
                if head != NONE:
                    kept[head, BEFORE_HERE] = hold
                kept[hold, NEXT_HERE], kept[hold, BEFORE_HERE], sources[source, HEAD] = head, NONE, hold
            kept[hold, AGAIN] = time
        if texts[text, TELLS] != NONE:
            sources[source, texts[text, TELLS]] = 1
    return told


@cache
def fast_fold() -> Callable[..., int]:
    """The fold as machine code."""
    return compiled(fold)


def folded(count: int, *given: Any) -> int:
    """The fold in the faster form for this number of events: plain Python, or compiled."""
    return (fast_fold() if count >= MANY and can_compile() else fold)(*given)
