"""Selectors of JMS, which Artemis, ActiveMQ Classic and Broker-J understand alike."""

NO_MESSAGE = "wanted = 'nothing'"
"""A selector that no message of the suite matches, for none has this property."""
