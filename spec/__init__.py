"""The specification as documentation: chapters in Markdown, and the ledger of their sources."""
