"""Reads configuration files: each figure comes with the line that set it."""
