"""Renders the output of `tidegate built show` and `diff`: formulas side by side, with examples and evidence."""

from collections.abc import Iterator

from tidegate.conformance.proofs.as_built import Changed, between, replaced
from tidegate.model.built.profile import Profile
from tidegate.model.built.profiles import profile_named
from tidegate.record.counts import counted


def page(name: str) -> Iterator[str]:
    """The lines about a profile. BadInput if there is no profile of that name."""
    profile = profile_named(name)
    yield f"{profile.name}: {counted(len(profile.replacements), 'replacements')}"
    for replacement, changed in replaced(profile):
        yield ""
        yield f"{replacement.name} (seen from {replacement.since} to {replacement.until})"
        yield f"  {_capital(replacement.sentence)}"
        for each in changed:
            yield from _rule(each)
        if not changed:
            yield "  no rule names this default; adapters read it"
        for evidence in replacement.of_version(profile.version):
            yield f"  evidence: {evidence.check} in reports/{evidence.report}: {evidence.seen}"


def differences(before: str, after: str) -> Iterator[str]:
    """The lines about the rules and defaults that differ between two profiles. BadInput if a name has no profile."""
    one, other = profile_named(before), profile_named(after)
    count = 0
    for each in between(one.linker, other.linker):
        count += 1
        yield f"{each.rule.rule_id}: {each.rule.sentence} ({each.rule.name})"
        yield from (f"    {line}" for line in each.smallest(one.name, other.name))
    defaults = [_defaults(each) for each in (one, other)]
    names = dict.fromkeys([*defaults[0], *defaults[1]])
    changed = [name for name in names if defaults[0].get(name) != defaults[1].get(name)]
    for name in changed:
        yield name
        for profile, sentences in zip((one, other), defaults, strict=True):
            yield f"    {profile.name}: {sentences.get(name, 'as documented')}"
    rules, others = counted(count, "rules"), counted(len(changed), "defaults")
    yield f"{rules} and {others} with another definition in {other.name} than in {one.name}"


def _defaults(profile: Profile) -> dict[str, str]:
    """The replaced defaults of a profile, each with its sentence."""
    return {each.name: each.sentence for each in profile.replacements if isinstance(each.stands_for, tuple)}


def _rule(changed: Changed) -> Iterator[str]:
    yield f"  {changed.rule.name} ({changed.rule.rule_id})"
    yield from (f"    as documented: {line}" for line in changed.before)
    yield from (f"    as built:      {line}" for line in changed.after)
    yield "    smallest difference:"
    yield from (f"      {line}" for line in changed.smallest("as documented", "as built"))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
