"""Released versions as built: the documents' model with a few rules and defaults replaced, by evidence."""
