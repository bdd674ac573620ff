"""Encoding text as vectors."""
