"""The rule language: the expressions of rules, their readers, and rules over time."""
