"""Random sequences of actions on one destination, judged step by step; a failing one is cut down to a short script."""
