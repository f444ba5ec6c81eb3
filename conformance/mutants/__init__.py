"""Mutants: a proof, or a scenario with literal figures, must notice every small change of a rule.

`changes` makes the mutants, `by_proof`, `by_scenario` and `by_trace` hunt them, and `gate` combines the results.
"""
