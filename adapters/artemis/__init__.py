"""A real Artemis broker, driven over AMQP 1.0 and observed through its management."""
