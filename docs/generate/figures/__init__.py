"""Figures that the build draws from the model: each threshold in them is where the model's own rules change."""
