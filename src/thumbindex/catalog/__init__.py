"""Keeping documents, and choosing among them."""
