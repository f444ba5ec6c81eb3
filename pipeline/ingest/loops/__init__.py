"""Loops over the bytes of a log, compiled by numba; and `patterns`, what they look for, which needs no numba.

They only read what is just as it should be, and leave what is not to the careful reader.
"""
