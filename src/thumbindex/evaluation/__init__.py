"""Measuring: question sets, metrics, runs."""
