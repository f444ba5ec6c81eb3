"""The Qpid Java broker: Broker-J through its REST management, and the older generation that its document describes."""
