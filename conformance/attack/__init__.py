"""Attacks: producers that fill a destination as far as they can, compared with the stated bound."""
