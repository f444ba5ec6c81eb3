"""The reference: the model as a broker with a virtual clock, in one profile per document and version."""
