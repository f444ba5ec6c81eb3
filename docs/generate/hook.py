"""The hook of the site: adds the pages that are computed and fills in the tables that pages ask for.

A page asks for a table by a line `<!-- table: NAME -->`; the names are those of `TABLES`.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent.parent))

from generate import adapter, chapters, commands, events, implementations, ledger, overview, proof, report, traces
from generate.links import IdLinks

SPECIFICATION = "Specification"
"""The part of the navigation that begins with the index of the chapters."""
TABLE = re.compile(r"^<!-- table: (?P<name>[a-z-]+) -->$", re.MULTILINE)
TABLES: Mapping[str, Callable[[], str]] = {
    "capabilities": adapter.capabilities,
    "claims": proof.claims_by_module,
    "commands": commands.commands,
    "contract-groups": adapter.optional_groups,
    "contract-values": adapter.values,
    "contract-verbs": adapter.verbs,
    "event-fields": events.event_fields,
    "event-kinds": events.event_kinds,
    "exit-codes": report.exit_codes,
    "implementations": implementations.rules_by_implementation,
    "log-templates": traces.log_templates,
    "matrix": overview.rules_by_form,
    "obligations": overview.what_is_owed,
    "past-operators": traces.past_operators,
    "report-schema": report.schema,
    "rule-index": overview.rule_index,
    "sources": ledger.documents,
    "trace-rules": traces.rules_by_module,
    "verdicts": report.verdicts,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the chapters into the navigation, and make ids links."""
    for entry in config.nav or []:
        if isinstance(entry, dict) and SPECIFICATION in entry:
            entry[SPECIFICATION][1:1] = chapters.paths()
    config.markdown_extensions.append(IdLinks(overview.places()))  # type: ignore[arg-type]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the chapters of the specification."""
    for path, text in chapters.pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Fill in the tables. KeyError for a table that nothing gives."""
    return TABLE.sub(lambda found: TABLES[found["name"]](), markdown)
