"""Weights of the search that were fitted for each model, by training/fit_calibration.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

__all__ = ["fitted"]


def fitted(model: str, part: str) -> Mapping[str, float] | None:
    """The weights of a part of the search for the model of that name and version; None where none were fitted."""
    return _weights().get(model, {}).get(part)


@cache
def _weights() -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = json.loads(
        resources.files(__package__).joinpath("fitted.json").read_text(encoding="utf-8")
    )
    return found
