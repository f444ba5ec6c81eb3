"""Explains a broker's configuration: the limits in force, the worst case, and settings without effect."""
