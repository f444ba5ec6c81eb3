"""The version of the code, which is apart from that of the specification."""

VERSION = "0.1.0"
"""What the distribution is built with; asking for the metadata of an installed one takes 4 % of the time of
checking a small log."""
