"""Writes the tables in the pages of the repository, so that they can be read without a site.

A table stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`, and is replaced by
`python docs/generate/tables.py`. With `--check` nothing is written: the files that are out of date are named, and the
exit code is 1.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from generate import adapter, agreement, commands, events, metrics, overview, readings, report, roads, traces

DOCS = Path(__file__).parents[1]
GENERATED = re.compile(
    r"^<!-- generated: (?P<name>[a-z-]+) -->\n(?P<table>.*?)^<!-- end of (?P=name) -->$", re.MULTILINE | re.DOTALL
)
TABLES: Mapping[str, Callable[[], str]] = {
    "agreement": agreement.agreement,
    "capabilities": adapter.capabilities,
    "commands": commands.commands,
    "contract-groups": adapter.optional_groups,
    "contract-values": adapter.values,
    "contract-verbs": adapter.verbs,
    "contract-without-figure": adapter.without_figure,
    "event-fields": events.event_fields,
    "event-kinds": events.event_kinds,
    "exit-codes": report.exit_codes,
    "limits-by-road": roads.limits_by_road,
    "log-templates": traces.log_templates,
    "metrics": metrics.served,
    "obligations": overview.what_is_owed,
    "past-operators": traces.past_operators,
    "readings": readings.told_apart,
    "report-schema": report.schema,
    "trace-rules": traces.rules_by_module,
    "verdicts": report.verdicts,
}


def renewed(page: str) -> str:
    """A page with each of its tables renewed. KeyError for an unknown table."""

    def table(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- generated: {name} -->\n\n{TABLES[name]()}\n\n<!-- end of {name} -->"

    return GENERATED.sub(table, page)


def pages(docs: Path) -> Iterator[Path]:
    """The pages below a folder that contain tables."""
    for page in sorted(docs.rglob("*.md")):
        if GENERATED.search(page.read_text(encoding="utf-8")):
            yield page


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, or print the names of outdated pages; the exit code. The default is the command line."""
    parser = argparse.ArgumentParser(description="Write the tables of the reference into its pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a page is out of date")
    parser.add_argument(
        "--docs", type=Path, default=DOCS, help="the folder with the pages; by default the folder of this file"
    )
    asked = parser.parse_args(arguments)
    stale = 0
    for page in pages(asked.docs):
        text = page.read_text(encoding="utf-8")
        now = renewed(text)
        if now != text:
            stale += 1
            print(f"{page.relative_to(asked.docs)}: {'out of date' if asked.check else 'written'}")  # noqa: T201
            if not asked.check:
                page.write_text(now, encoding="utf-8")
    return int(asked.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
