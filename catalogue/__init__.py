"""The catalogue: reads the chapters of the specification and its ledger, and says what each rule owes."""

from tidegate.catalogue.rules import Category, Form, Level, Rule, Source
from tidegate.catalogue.shelf import catalogue, rule_named, spec_version

__all__ = ["Category", "Form", "Level", "Rule", "Source", "catalogue", "rule_named", "spec_version"]
