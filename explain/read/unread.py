"""Values of a configuration that cannot be read, and what the broker does where it meets them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from tidegate.record.errors import BadInput, BadInputs

Value = TypeVar("Value")
REFUSED = "the broker refuses to start with it"


@dataclass(frozen=True)
class Unread:
    """A value that cannot be read: its error, and what the broker does, in words."""

    error: BadInput
    does: str = REFUSED

    def __str__(self) -> str:
        return f"{self.error}; {self.does}"

    @property
    def note(self) -> str:
        """The place of the value, and what the broker does with it."""
        named = self.error.field or "this line"
        return f"{self.error.file}:{self.error.line}: {named} cannot be read: {self.does}"


class Unreadable:
    """Collects the values that a reader cannot read, so that each of them is named."""

    def __init__(self) -> None:
        self.found: list[Unread] = []

    def attempt(self, read: Callable[[], Value | None], instead: Value | None, does: str = REFUSED) -> Value | None:
        """The result of `read`. If it raises BadInput: `instead`, and the error is kept with the broker's reaction."""
        try:
            return read()
        except BadInput as error:
            self.found.append(Unread(error, does))
            return instead


def in_order(found: Iterable[Unread]) -> list[Unread]:
    """The values by file and line."""
    return sorted(found, key=lambda each: (each.error.file or "", each.error.line or 0))


def raise_all(found: Iterable[Unread], errors: Iterable[BadInput] = ()) -> None:
    """BadInput with a sentence for each value and each error, if there are any."""
    sentences = [*map(str, in_order(found)), *(sentence for error in errors for sentence in error.sentences)]
    if sentences:
        raise BadInputs(tuple(dict.fromkeys(sentences)))
