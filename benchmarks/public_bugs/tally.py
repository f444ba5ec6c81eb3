"""Count the bugs of tally.yaml by trigger and symptom, and list the triggers and symptoms that the suite lacks.

    tally.py [--draw N --seed S [--trigger NAME]...]

A trigger is what a client or an operator does, a symptom is what is then seen. The suite lacks a verb for a trigger, a
condition that crosses the trigger with every rule, or a rule that the symptom breaks. `--draw N` draws N bugs with the
named triggers at random and prints them; bugs in a list of pairs are not drawn.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import yaml

HERE = Path(__file__).parent
PAIRS = ("pairs.yaml", "further_pairs.yaml", "third_pairs.yaml")
"""The lists of pairs of releases whose bugs are not drawn again."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; always 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draw", type=int, default=0, metavar="N", help="draw so many bugs that stand in no list")
    parser.add_argument("--seed", type=int, default=0, help="of the random choice")
    parser.add_argument("--trigger", action="append", metavar="NAME", help="draw of the bugs with this trigger alone")
    options = parser.parse_args(arguments)
    tally = yaml.safe_load((HERE / "tally.yaml").read_text(encoding="utf-8"))
    triggers = options.trigger or list(tally["triggers"])
    print("\n".join(drawn(tally, options.draw, options.seed, triggers) if options.draw else counted(tally)))
    return 0


def counted(tally: Mapping[str, Any]) -> Iterator[str]:
    """A line for each trigger, with its number of bugs by symptom, and then what the suite lacks."""
    pairs = Counter((bug["trigger"], bug["symptom"]) for bug in tally["bugs"])
    triggers = Counter(bug["trigger"] for bug in tally["bugs"])
    yield f"{len(tally['bugs'])} bugs"
    for trigger, count in triggers.most_common():
        symptoms = [(number, symptom) for (of, symptom), number in pairs.items() if of == trigger]
        shown = ", ".join(f"{symptom} {number}" for number, symptom in sorted(symptoms, reverse=True))
        yield f"{count:4}  {trigger}: {shown}"
    for field in ("verb", "condition"):
        yield _lacking(f"no {field}", triggers, [of for of, has in tally["triggers"].items() if not has[field]])
    symptoms_of = Counter(bug["symptom"] for bug in tally["bugs"])
    yield _lacking("no rule", symptoms_of, [of for of, has in tally["symptoms"].items() if not has["rules"]])


def _lacking(title: str, counts: Mapping[str, int], names: Sequence[str]) -> str:
    most_first = sorted(names, key=lambda name: -counts[name])
    shown = ", ".join(f"{name} {counts[name]}" for name in most_first) or "none"
    return f"{title}: {sum(counts[name] for name in names)} bugs ({shown})"


def drawn(tally: Mapping[str, Any], count: int, seed: int, triggers: Sequence[str]) -> Iterator[str]:
    """Up to `count` bugs with these triggers, in the order of the draw, after a line with the seed."""
    listed = {pair["key"] for name in PAIRS for pair in yaml.safe_load((HERE / name).read_text(encoding="utf-8"))}
    left = [bug for bug in tally["bugs"] if bug["key"] not in listed and bug["fixed"]]
    left = [bug for bug in left if bug["trigger"] in triggers]
    yield f"seed {seed}, {count} of {len(left)}"
    for bug in Random(seed).sample(left, min(count, len(left))):
        yield f"{bug['key']} ({bug['fixed']}), {bug['trigger']}, {bug['symptom']}: {bug['what']}"


if __name__ == "__main__":
    raise SystemExit(main())
