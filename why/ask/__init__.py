"""A running broker asked by its management over HTTP which limit holds producers up now."""
