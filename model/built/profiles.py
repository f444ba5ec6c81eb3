"""All profiles of released versions, by name."""

from tidegate.model.built.artemis import ARTEMIS_2_44_0, ARTEMIS_CORE_2_44_0
from tidegate.model.built.classic import CLASSIC_4_1_2, CLASSIC_5_3_1, CLASSIC_6_3_1
from tidegate.model.built.profile import Profile
from tidegate.model.built.qpid import QPID_0_18, QPID_10_1_0
from tidegate.record.errors import BadInput

PROFILES = {
    each.name: each
    for each in (
        *(QPID_0_18, QPID_10_1_0, ARTEMIS_2_44_0, ARTEMIS_CORE_2_44_0),
        *(CLASSIC_4_1_2, CLASSIC_5_3_1, CLASSIC_6_3_1),
    )
}


def profile_named(name: str) -> Profile:
    """The profile of this name, also with `built:` before it. BadInput that lists what there is for any other."""
    found = PROFILES.get(name.removeprefix("built:"))
    if found is None:
        raise BadInput(f"expected a version as built, not {name!r}; there are: {', '.join(PROFILES)}")
    return found
