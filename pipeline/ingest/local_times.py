"""Local times of many lines at once."""

from datetime import datetime, timedelta, tzinfo

import numpy as np

from tidegate.pipeline.ingest.line_form import Unparsed
from tidegate.pipeline.ingest.loops.patterns import Flags, Numbers
from tidegate.pipeline.ingest.times import milliseconds

START = datetime(1970, 1, 1)
SECOND = 1000
"""Its ms."""


def in_utc(times: Numbers, zone: tzinfo) -> tuple[Numbers, Flags]:
    """Local ms as ms since the epoch, and which of them there are; each distinct second is converted once."""
    distinct, which = np.unique(times // SECOND, return_inverse=True)
    converted = [milliseconds(START + timedelta(seconds=int(each)), zone) for each in distinct]
    known = np.array([not isinstance(each, Unparsed) for each in converted], np.bool_)
    whole = np.array([0 if isinstance(each, Unparsed) else each for each in converted], np.int64)
    return whole[which] + times % SECOND, known[which]
