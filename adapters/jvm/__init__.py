"""A separate process with a Java virtual machine, under guard, that answers calls."""
