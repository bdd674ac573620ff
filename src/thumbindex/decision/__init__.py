"""Deciding: the contract of a decision model, its backends, and the one place for batching and retries."""
