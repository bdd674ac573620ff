"""Serving: the protocols that real clients speak, answered with what is in the package."""
