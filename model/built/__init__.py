"""Released versions as they are built: the documents' model with a few rules and defaults replaced, by evidence."""
