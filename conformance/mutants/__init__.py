"""Mutants: every small change of a rule must be noticed, by a proof or by a scenario with literal figures.

`changes` makes them, `by_proof` and `by_scenario` hunt them, `gate` says who noticed what.
"""
