"""Where files of the user's are kept. The environment moves each place."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_config_path, user_data_path

__all__ = ["cache_folder", "library_file", "settings_file"]


def cache_folder() -> Path:
    """The folder for what can be made again: THUMBINDEX_CACHE, or the user's cache folder."""
    return Path(os.environ.get("THUMBINDEX_CACHE") or user_cache_path("thumbindex"))


def library_file() -> Path:
    """The library where none is named: in the user's folder for data."""
    return user_data_path("thumbindex") / "library.sqlite"


def settings_file() -> Path:
    """The file of settings: THUMBINDEX_CONFIG, or config.toml in the user's folder for settings."""
    return Path(os.environ.get("THUMBINDEX_CONFIG") or user_config_path("thumbindex") / "config.toml")
