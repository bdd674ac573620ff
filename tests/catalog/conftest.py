"""Databases to keep documents in."""

from databases import *  # noqa: F403 - fixtures
