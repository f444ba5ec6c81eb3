"""What is set without effect, contradicts itself, or stops producers for good, one module for each broker."""
