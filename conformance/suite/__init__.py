"""The checks that run through an adapter; `tidegate run` collects this folder."""
