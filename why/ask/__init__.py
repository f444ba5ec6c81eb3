"""Asks a running broker, through its management over HTTP, which limit holds producers up now."""
