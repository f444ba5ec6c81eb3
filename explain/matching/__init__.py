"""Which names a pattern of each broker stands for, and which of several patterns goes before the others."""
