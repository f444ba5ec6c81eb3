"""Adapters: how the suite drives an implementation, and the implementations that it knows."""
