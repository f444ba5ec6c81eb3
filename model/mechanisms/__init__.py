"""What each mechanism makes of one destination and its producers, step by step, as one record of functions."""
