"""The JMS selectors of the suite, which Artemis, ActiveMQ Classic and Broker-J all understand."""

NO_MESSAGE = "wanted = 'nothing'"
"""A selector that no message of the suite matches, for none has this property."""
