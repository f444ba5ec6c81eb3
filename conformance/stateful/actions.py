"""The actions of a random sequence as data: they can be drawn, counted, repeated, and left out one by one."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tidegate.adapters.base import Adapter
from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import (
    AcknowledgesTogether,
    BlocksByManagement,
    BrowsesMessages,
    ChangesLimits,
    ClosesClients,
    GivesMessagesBack,
    GivesMessagesUp,
    KillsClients,
    ListsMessages,
    MovesMessages,
    PausesBroker,
    Purges,
    RecreatesDestinations,
    RestartsBroker,
    SendsAnonymously,
    SendsExpiring,
    Transacts,
)


class Verb(StrEnum):
    """The kind of an action, in words that follow a number."""

    ATTACH = "producers attached"
    SEND = "sends"
    FILL = "fills"
    ROUNDS = "rounds of filling and draining"
    CONSUME = "consumptions"
    DRAIN = "drains"
    TAKE = "takes without acknowledgement"
    ACKNOWLEDGE = "later acknowledgements"
    ACKNOWLEDGE_ALL = "acknowledgements of all messages in hand"
    GIVE_BACK = "returns of all messages in hand"
    GIVE_UP = "refusals for good"
    PURGE = "purges"
    MOVE = "moves"
    LIST = "lists by management"
    BROWSE = "browses"
    RAISE = "raised limits"
    LOWER = "lowered limits"
    RAISE_MESSAGES = "raised limits in messages"
    LOWER_MESSAGES = "lowered limits in messages"
    CLOSE_PRODUCER = "closed producers"
    KILL_PRODUCER = "killed producers"
    CLOSE_CONSUMER = "closed consumers"
    KILL_CONSUMER = "killed consumers"
    ORDER = "orders to stop"
    LIFT = "lifted orders"
    COMMIT = "commits"
    ROLL_BACK = "rollbacks"
    EXPIRE = "times in which messages expire"
    RECREATE = "destinations created again"
    RESTART = "starts of the broker"
    HALT = "halts of the broker"
    SEND_IN_TRANSACTION = "sends in an open transaction"
    CLOSE_TRANSACTED = "closed producers with an open transaction"
    KILL_TRANSACTED = "killed producers with an open transaction"
    ATTACH_NAMING = "anonymous producers attached"
    ATTACH_BOTH = "producers of both destinations attached"
    ROAM = "fills by producers of several destinations"
    CLOSE_ROAMING = "closed producers of several destinations"
    KILL_ROAMING = "killed producers of several destinations"


@dataclass(frozen=True)
class Action:
    """One action, with the place of its producer, consumer or message in hand, and its amount in bytes or messages."""

    verb: Verb
    place: int = 0
    amount: int = 0
    at: int = 0
    """The place of its destination."""


GROUPS_OF: Mapping[Verb, tuple[type, ...]] = {
    Verb.ACKNOWLEDGE_ALL: (AcknowledgesTogether,),
    Verb.GIVE_BACK: (GivesMessagesBack,),
    Verb.GIVE_UP: (GivesMessagesUp,),
    Verb.PURGE: (Purges,),
    Verb.MOVE: (MovesMessages,),
    Verb.LIST: (ListsMessages,),
    Verb.BROWSE: (BrowsesMessages,),
    Verb.RAISE: (ChangesLimits,),
    Verb.LOWER: (ChangesLimits,),
    Verb.RAISE_MESSAGES: (ChangesLimits,),
    Verb.LOWER_MESSAGES: (ChangesLimits,),
    Verb.CLOSE_PRODUCER: (ClosesClients,),
    Verb.CLOSE_CONSUMER: (ClosesClients,),
    Verb.KILL_PRODUCER: (KillsClients,),
    Verb.KILL_CONSUMER: (KillsClients,),
    Verb.ORDER: (BlocksByManagement,),
    Verb.LIFT: (BlocksByManagement,),
    Verb.COMMIT: (Transacts,),
    Verb.ROLL_BACK: (Transacts,),
    Verb.EXPIRE: (SendsExpiring,),
    Verb.RECREATE: (RecreatesDestinations, ClosesClients),
    Verb.RESTART: (RestartsBroker,),
    Verb.HALT: (PausesBroker,),
    Verb.SEND_IN_TRANSACTION: (Transacts,),
    Verb.CLOSE_TRANSACTED: (Transacts, ClosesClients),
    Verb.KILL_TRANSACTED: (Transacts, KillsClients),
    Verb.ATTACH_NAMING: (SendsAnonymously,),
    Verb.CLOSE_ROAMING: (ClosesClients,),
    Verb.KILL_ROAMING: (KillsClients,),
}
"""The groups of the adapter contract that an action needs; every adapter has the other actions."""
CAPABILITY_OF: Mapping[Verb, str] = {Verb.ATTACH_BOTH: "several-queues"}
"""The capability without verbs of its own that an action needs."""
ATTACH_ROAMING = frozenset({Verb.ATTACH_NAMING, Verb.ATTACH_BOTH})
"""The actions that attach a producer of several destinations."""
OF_ROAMING = frozenset({Verb.ROAM, Verb.CLOSE_ROAMING, Verb.KILL_ROAMING})
"""The actions of a producer of several destinations."""


def offered_by(adapter: Adapter) -> tuple[Verb, ...]:
    """The kinds of actions that an adapter offers."""
    claimed = [verb for verb in Verb if CAPABILITY_OF.get(verb) in (None, *adapter.capabilities)]
    verbs = [verb for verb in claimed if all(offered(adapter, group) for group in GROUPS_OF.get(verb, ()))]
    return tuple(verb for verb in verbs if verb not in OF_ROAMING or ATTACH_ROAMING.intersection(verbs))
