"""Exceptions that end a check other than by keeping its rule."""


class Deviation(AssertionError):
    """The implementation did otherwise than the rule says; with what was expected and what was seen, in figures."""

    def __init__(
        self,
        expected: str,
        seen: str,
        *,
        rules: tuple[str, ...] = (),
        done: tuple[str, ...] = (),
        state: str = "",
        promised_by: str | None = None,
        is_permitted: bool = False,
    ):
        super().__init__(f"expected {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
        self.rules = rules
        """The violated rules, if the check serves other rules too."""
        self.done = done
        """The steps, if they differ between runs of the check."""
        self.state = state
        """The `State` that did not come about and with which other checks begin."""
        self.promised_by = promised_by
        """The rule that promises this state, if it is not the mechanism's usual one."""
        self.is_permitted = is_permitted
        """Whether a rule permits the implementation to do without it."""
        self.also: str | None = None
        """The rule that is violated too, because it promises what a step of the check builds on."""


class NotReached(Exception):
    """A precondition of the check did not come about, so that nothing is known about its rules."""

    def __init__(
        self, given: str, expected: str, seen: str, promised_by: str | None = None, is_permitted: bool = False
    ):
        super().__init__(f"{given}: expected {expected}, seen {seen}")
        self.given = given
        """The step that was not reached."""
        self.expected = expected
        self.seen = seen
        self.promised_by = promised_by
        """The rule that promises the precondition; None if no rule does."""
        self.is_permitted = is_permitted
        """Whether a rule permits the implementation to do without it."""


class Varies(Exception):
    """The steps ended differently when they were repeated, so that nothing is known."""

    def __init__(self, expected: str, seen: str, *, done: tuple[str, ...]):
        super().__init__(f"expected {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
        self.done = done
        """The steps of the run that deviated."""


class NotUsed(Exception):
    """The implementation was seen not to use a permission of the rule."""

    def __init__(self, expected: str, seen: str):
        super().__init__(f"permitted {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
