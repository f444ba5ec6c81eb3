"""How a check ends other than by keeping its rule."""


class Deviation(AssertionError):
    """The implementation did otherwise than the rule says: what was expected and what was seen, with figures."""

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
        """The rules that are not kept, where the check serves more than those."""
        self.done = done
        """What was done, where that is not the same in every run of the check."""
        self.state = state
        """What did not come about, a `State`, where other checks begin with it."""
        self.promised_by = promised_by
        """The rule that says that it comes about, where that is another than the mechanism's usual one."""
        self.is_permitted = is_permitted
        """Whether a rule leaves it to the implementation whether it comes about."""


class NotReached(Exception):
    """What a check begins with did not come about, so that nothing is known about its rules."""

    def __init__(
        self, given: str, expected: str, seen: str, promised_by: str | None = None, is_permitted: bool = False
    ):
        super().__init__(f"{given}: expected {expected}, seen {seen}")
        self.given = given
        """The step that was not reached."""
        self.expected = expected
        self.seen = seen
        self.promised_by = promised_by
        """The rule that says that it comes about; None if no rule does."""
        self.is_permitted = is_permitted
        """Whether a rule leaves it to the implementation whether it comes about."""


class Varies(Exception):
    """The steps ended differently when they were taken again, so that nothing is known."""

    def __init__(self, expected: str, seen: str, *, done: tuple[str, ...]):
        super().__init__(f"expected {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
        self.done = done
        """What was done, where it ended otherwise than expected."""


class NotUsed(Exception):
    """The implementation was seen not to use a permission that the rule gives it."""

    def __init__(self, expected: str, seen: str):
        super().__init__(f"permitted {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
