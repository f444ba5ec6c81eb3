"""Judging split by split: what each split says of a key is combined in their order, and nothing is sorted as a whole."""
