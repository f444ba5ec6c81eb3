"""Computes the settings in force at each destination from those of a file, in one module for each broker."""
