"""The rule language: what a rule may say, who reads it, and rules over time."""
