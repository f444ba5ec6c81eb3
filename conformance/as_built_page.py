"""What `tidegate built show` prints: a released version, formula beside formula, with examples and evidence."""

from collections.abc import Iterator

from tidegate.conformance.proofs.as_built import Changed, replaced
from tidegate.model.built.profiles import profile_named


def page(name: str) -> Iterator[str]:
    """The lines about a profile. BadInput where there is none of that name."""
    profile = profile_named(name)
    yield f"{profile.name}: {len(profile.replacements)} replacements"
    for replacement, changed in replaced(profile):
        yield ""
        yield f"{replacement.name} (seen from {replacement.since} to {replacement.until})"
        yield f"  {_capital(replacement.sentence)}"
        for each in changed:
            yield from _rule(each)
        if not changed:
            yield "  no rule names this default; adapters read it"
        for evidence in replacement.evidence:
            yield f"  evidence: {evidence.check} in reports/{evidence.report}: {evidence.seen}"


def _rule(changed: Changed) -> Iterator[str]:
    yield f"  {changed.rule.name} ({changed.rule.rule_id})"
    yield from (f"    as documented: {line}" for line in changed.before)
    yield from (f"    as built:      {line}" for line in changed.after)
    yield f"    smallest difference: {changed.example}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
