"""The JMS client that speaks OpenWire, in a process of its own, for any adapter that needs it."""
