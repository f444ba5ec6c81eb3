"""A page for each released version as it is built: each difference to its documents, with both formulas."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from generate import releases
from generate.figures import shelf
from generate.found import REPORT_JSON, REPORTS
from generate.markup import boxed, code, fence, literal, paragraphs, table
from tidegate.catalogue import catalogue
from tidegate.conformance.proofs.as_built import Changed, replaced
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.verdicts import wording
from tidegate.model.built.profile import Profile, Replacement
from tidegate.model.built.profiles import PROFILES
from tidegate.record.counts import counted
from tidegate.record.report import ImplementationReport
from tidegate.record.verdict import Verdict

FOLDER = releases.AS_BUILT
RED = (Verdict.VIOLATED, Verdict.FOLLOWS)


def pages() -> Iterator[tuple[str, str]]:
    """Path below the docs folder and Markdown of each version's page."""
    for profile in PROFILES.values():
        yield f"{FOLDER}/{profile.name}.md", page(profile)


def paths() -> list[str]:
    """The pages, in the order of the profiles."""
    return [f"{FOLDER}/{name}.md" for name in PROFILES]


def page(profile: Profile) -> str:
    """The replacements of a version with the evidence, and the violations of a run on the real version."""
    (each,) = read_report(REPORTS / profile.name / REPORT_JSON).implementations
    version = f"{each.implementation.name} {each.implementation.version}"
    changes = list(replaced(profile))
    return paragraphs(
        f"# {version}, as built",
        f"{version} does what its documents say, with {counted(len(changes), 'differences')}. The formulas "
        "come from the executable model. The smallest difference is the smallest state for which the two formulas "
        "differ; the solver found it.",
        *_also_for(profile),
        "The suite runs on this model too:",
        fence(f"tidegate run --adapter built:{profile.name}\ntidegate built check {profile.name}", "sh"),
        *_in_figures(profile),
        *(_difference(replacement, changed, profile, each) for replacement, changed in changes),
        _verdicts(each, profile),
    )


def _also_for(profile: Profile) -> Iterator[str]:
    """The releases without a model for which this one stands; nothing for a model of a single client."""
    broker, _, model = profile.name.rpartition("-")
    if broker in releases.SERIES:
        yield (
            f"`tidegate why` and `tidegate explain` take this model for {releases.stands_for(broker, model)}, "
            f"as [the nearest one](/{releases.PAGE})."
        )


def _in_figures(profile: Profile) -> Iterator[str]:
    """The figures that this version changes, each beside the documents' figure."""
    pairs = list(shelf.as_built(profile))
    if pairs:
        yield "## In figures"
        yield "Each pair is drawn from the executable model: by the documents, and as this version is built."
    for documented, built in pairs:
        sides = (("As documented", documented), ("As built", built))
        columns = "\n".join(f"<div>\n<p>{side}</p>\n{figure}\n</div>" for side, figure in sides)
        yield f'<div class="pair">\n{columns}\n</div>'


def _difference(
    replacement: Replacement, changed: tuple[Changed, ...], profile: Profile, run: ImplementationReport
) -> str:
    sentence = replacement.sentence
    shown = list(dict.fromkeys((one.check, one.seen) for one in replacement.of_version(profile.version)))
    return paragraphs(
        f"## {sentence[:1].upper()}{sentence[1:]}",
        *(map(_formulas, changed) if changed else (_sentences(rules_of(run, [check for check, _ in shown])),)),
        f"Seen on the real version{_elsewhere(replacement)}:",
        "\n".join(f"- {code(check)}: {literal(seen)}" for check, seen in shown),
    )


def rules_of(run: ImplementationReport, checks: Collection[str]) -> list[str]:
    """The rules that these checks judge, in the order of the report."""
    return [each.rule for each in run.verdicts if any(check.check in checks for check in each.checks)]


def _sentences(rules: Sequence[str]) -> str:
    """The sentences of rules about a text or a default, which has no formula of its own."""
    if not rules:
        return "No rule speaks of it."
    return paragraphs("The rules say:", "\n".join(f"- {rule}: {catalogue()[rule].sentence}" for rule in rules))


def _elsewhere(replacement: Replacement) -> str:
    """The versions with this replacement, if there are several; else empty."""
    if replacement.since == replacement.until:
        return ""
    return f", the same from {replacement.since} to {replacement.until}"


def _formulas(changed: Changed) -> str:
    """Both formulas of a rule and their smallest difference, one below the other: formulas are too wide for columns."""
    rows = [
        ("as documented", _lines(map(code, changed.before))),
        ("as built", _lines(map(code, changed.after))),
        ("smallest difference", _lines(map(literal, changed.smallest("as documented", "as built")))),
    ]
    return boxed("formulas", table((changed.rule.rule_id or "", ""), rows))


def _lines(texts: Iterable[str]) -> str:
    return "<br>".join(texts)


def _verdicts(each: ImplementationReport, profile: Profile) -> str:
    """The rules that a run on the real version violates, with the rules that each follows from."""
    red = [verdict for verdict in each.verdicts if verdict.verdict in RED]
    rows = [(verdict.rule, literal(catalogue()[verdict.rule].title), literal(wording(verdict))) for verdict in red]
    return paragraphs(
        "## What a run on the real version violates",
        f"From `reports/{profile.name}`. A rule *follows from* another rule if it fails only because of that rule.",
        table(("rule", "title", "verdict"), rows) if rows else "Nothing.",
    )
