"""The version of the code, which is separate from the version of the specification."""

VERSION = "0.1.0"
"""The version of the distribution; asking for the metadata of an installed one takes 4 % of the time of checking a
small log."""
