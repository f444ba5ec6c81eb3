"""Random sequences of actions on one destination, judged step by step, cut down to a short script where one fails."""
