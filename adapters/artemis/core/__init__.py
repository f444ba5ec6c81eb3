"""A real Artemis by its own Core client, which runs in a separate process with a JVM."""
