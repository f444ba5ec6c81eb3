"""A blocking AMQP 1.0 client with a watchdog on every call, for any adapter that speaks the protocol."""
