"""The mechanisms: each as one record of functions that step one destination and its producers."""
