"""Documents to measure on that are not part of the project: tests that need them skip where they are absent."""

import os
from pathlib import Path

import pytest

_SHARED = Path(os.environ.get("THUMBINDEX_SHARED", Path(__file__).parents[2] / "shared"))


def shared_file(name: str) -> Path:
    """The file `data/NAME` of the measuring data, or a skipped test."""
    path = _SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"needs {path}: other people's documents, not part of the project")
    return path
