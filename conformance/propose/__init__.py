"""Proposals: replacements of rules and defaults that explain the failing checks of a report.

`figures` are the constants that may stand in a replacement, `grammar` makes candidates, `bench` runs checks under them,
`search` keeps candidates that explain most and contradict nothing, `page` and `text` render the result.
"""
