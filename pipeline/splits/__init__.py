"""Judging split by split: what splits say of a key is combined in their order, and nothing is sorted as a whole."""
