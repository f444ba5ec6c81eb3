"""The scenarios: one Gherkin file per mechanism, tagged with the ids of the rules that they check."""
