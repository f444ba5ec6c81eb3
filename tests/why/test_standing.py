"""Standing episodes are found by family, place and client as a search of all of them finds them."""

from hypothesis import given
from hypothesis import strategies as st

from tidegate.why.episodes import Episode
from tidegate.why.heard import Heard
from tidegate.why.lines.qpid import QUEUE
from tidegate.why.notices import Blocked, Released
from tidegate.why.standing import Key, Standing, is_client

NAMES = ("con:1(a@/h:1/v)/ch:1", "con:1(a@/h:1/v)/ch:2", "con:1(a@/h:1/v)", "con:1(b@/h:1/v)", "p")
PLACES = ("", "a")
KEYS = st.tuples(st.sampled_from("fg"), st.sampled_from(PLACES), st.just(""))
CLIENTS = st.lists(st.sampled_from(NAMES), unique=True, max_size=3).map(tuple)
STEPS = st.lists(st.tuples(KEYS, st.none() | CLIENTS), max_size=12)
SAID = Blocked(QUEUE, "a")
LINE = Heard(SAID, "a.log", 1, None)


def filled(steps: list[tuple[Key, tuple[str, ...] | None]]) -> tuple[Standing, dict[Key, Episode]]:
    """The episodes after these steps, and a plain dictionary of them; None takes an episode out."""
    standing, plain = Standing(), dict[Key, Episode]()
    for key, clients in steps:
        if clients is not None:
            standing[key] = plain[key] = Episode(QUEUE, key[1], LINE, LINE, 0, clients=clients)
        elif key in plain:
            del standing[key], plain[key]
    return standing, plain


@given(STEPS)
def test_a_release_finds_every_episode_that_it_may_be_about(steps: list[tuple[Key, tuple[str, ...] | None]]) -> None:
    standing, plain = filled(steps)
    for client in NAMES:
        theirs = [key for key, one in plain.items() if any(is_client(each, client) for each in one.clients)]
        assert standing.released(Released(("f",), None, client)) == theirs
    for place in PLACES:
        there = [key for key in plain if key[1] == place]
        assert standing.released(Released(("f",), place)) == there
        assert standing.released(Released(("f",), place, and_below=True)) == list(plain)
    assert standing.released(Released(("f",), None)) == list(plain)


@given(STEPS)
def test_families_are_found_in_their_order(steps: list[tuple[Key, tuple[str, ...] | None]]) -> None:
    standing, plain = filled(steps)
    assert dict(standing) == plain
    assert standing.of_family("f") == [key for key in plain if key[0] == "f"]
    assert standing.several(["f", "f"]) == (sum(key[0] == "f" for key in plain) > 1)
