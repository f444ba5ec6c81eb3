"""The parameters of a URL of an acceptor or a connector."""

import re
from urllib.parse import unquote


def parameters(url: str) -> dict[str, str]:
    """The parameters of a URL behind its question mark, separated by ; or &."""
    pairs = (pair.partition("=") for pair in re.split(r"[;&]", url.partition("?")[2]))
    return {key.strip(): unquote(value.strip()) for key, found, value in pairs if found}
