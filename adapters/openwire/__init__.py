"""The JMS client for OpenWire in a separate process, for any adapter that needs it."""
