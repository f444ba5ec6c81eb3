"""The address that the running tidegate was installed from, in pip's form for another environment."""

import json
from importlib.metadata import distribution
from urllib.parse import urlsplit

from tidegate.record.errors import BadInput

EXPECTED = "expected an address that pip installs tidegate from, file:///FOLDER or git+https://HOST/PATH@REVISION"


def origin(chosen: str | None) -> str:
    """The chosen address, or the address that pip recorded when it installed tidegate (PEP 610).

    Raises BadInput for an address that pip would not take, and where no address is known.
    """
    if chosen is not None:
        return _checked(chosen)
    recorded = distribution("tidegate").read_text("direct_url.json")
    if recorded is None:
        raise BadInput(f"{EXPECTED}; this installation does not record its own", field="--source")
    facts = json.loads(recorded)
    fragment = f"#subdirectory={facts['subdirectory']}" if "subdirectory" in facts else ""
    version_control = facts.get("vcs_info")
    if version_control is None:
        return f"{facts['url']}{fragment}"
    return f"{version_control['vcs']}+{facts['url']}@{version_control['commit_id']}{fragment}"


def _checked(address: str) -> str:
    parts = urlsplit(address)
    if not parts.scheme or not (parts.netloc or parts.path.startswith("/")) or any(map(str.isspace, address)):
        raise BadInput(f"{EXPECTED}, not {address!r}", field="--source")
    return address
