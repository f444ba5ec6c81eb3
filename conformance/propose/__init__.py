"""Proposals: which replacements of rules and defaults explain the failing checks of a report.

`figures` are the constants that may stand in a replacement, `grammar` makes candidates, `bench` runs checks under
them, `search` keeps those that explain most and contradict nothing, `page` and `text` say what was found.
"""
