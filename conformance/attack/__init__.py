"""Attacks: producers that take a destination as far as they can, held against the bound that is stated."""
