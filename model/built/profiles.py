"""All profiles of released versions, by name."""

from tidegate.model.built import andes_client, artemis, artemis_core, artemis_openwire, artemis_stomp, classic, qpid
from tidegate.model.built.profile import Profile
from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean

PROFILES: dict[str, Profile] = {
    each.name: each
    for module in (qpid, artemis, artemis_core, artemis_openwire, artemis_stomp, classic, andes_client)
    for each in module.PROFILES
}


def profile_named(name: str) -> Profile:
    """The profile of this name, also as `artemis:2.44.0` or with `built:` before it.

    For any other name, BadInput that lists the profiles.
    """
    found = PROFILES.get(name.removeprefix("built:").replace(":", "-"))
    if found is None:
        hint = did_you_mean(name.removeprefix("built:").replace(":", "-"), PROFILES) or "."
        raise BadInput(f"expected a version as built, not {name!r}{hint} There are: {', '.join(PROFILES)}")
    return found
