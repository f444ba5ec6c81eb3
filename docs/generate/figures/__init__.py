"""Figures that the build draws from the model: the model's own rules give each threshold in them."""
