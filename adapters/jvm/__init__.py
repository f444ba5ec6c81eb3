"""A process of its own with a Java virtual machine in it, under guard, that answers calls."""
