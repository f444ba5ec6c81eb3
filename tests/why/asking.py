"""The answer for lines that stand in a test."""

import io

from tidegate.why.answer import Answer, Asked, Held, answer
from tidegate.why.reading import read


def ask(*lines: str, asked: Asked | None = None) -> Answer:
    """What `tidegate why` makes of these lines."""
    text = "".join(f"{line}\n" for line in lines)
    return answer(read([("a.log", io.BytesIO(text.encode()))]), asked or Asked())


def held(*lines: str) -> Held:
    """The episode of the answer; there must be one."""
    found = ask(*lines).held
    assert found is not None
    return found
