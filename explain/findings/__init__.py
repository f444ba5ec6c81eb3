"""Finds settings without effect, contradictions, and limits that stop producers for good, in one module for each
broker."""
