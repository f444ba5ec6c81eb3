"""Cases in which topics behave as queues, and released versions may differ: no document mentions them."""

from tidegate.model.language.rule import rule


@rule
def given_up_with_subscription(in_files: bool) -> bool:
    """GENERAL-8: what a subscription held that ends is charged to it no more, whether it lay in memory or in files."""
    return True


@rule
def holds_up_others(topic: bool) -> bool:
    """GENERAL-21: a send that waits for the disk holds up no other send to its queue or topic that finds space."""
    return False


@rule
def counts_those_before(topic: bool) -> bool:
    """GENERAL-42: an acknowledged message is counted no more, and every other one that was handed out still is."""
    return False
