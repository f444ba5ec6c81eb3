"""Computes the settings in force at each destination from the settings of a file, in one module for each broker."""
