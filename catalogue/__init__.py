"""The catalogue: reads the chapters of the specification and its ledger, and says what each rule owes."""

from headgate.catalogue.rules import Category, Form, Level, Rule, Source
from headgate.catalogue.shelf import catalogue, rule_named, spec_version

__all__ = ["Category", "Form", "Level", "Rule", "Source", "catalogue", "rule_named", "spec_version"]
