"""Artemis by the JMS client that speaks OpenWire."""
