"""What a broker's configuration comes to: the limits in force, the worst case, and what is set without effect."""
