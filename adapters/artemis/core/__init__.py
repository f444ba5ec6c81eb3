"""A real Artemis by its own Core client, which runs in a process of its own with a JVM."""
