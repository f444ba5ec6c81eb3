"""A blocking AMQP 0-9-1 client with a watchdog on every call, for any adapter that speaks the protocol."""
