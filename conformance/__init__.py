"""The conformance suite: proofs, scenarios, vectors and stateful tests over any adapter, and their report."""
