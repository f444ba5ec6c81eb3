"""The checks that run through an adapter; `headgate run` collects this folder."""
