"""The executable reference model: definitions only, in the rule language of `tidegate.model.language.rule`."""
