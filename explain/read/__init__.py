"""Readers of configuration files: from a file to figures, each with the line that set it."""
