"""Decision models by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from thumbindex.decision.base import DecisionModel
from thumbindex.decision.batch import Decider
from thumbindex.decision.lexical import LexicalModel
from thumbindex.errors import UnknownModelError

__all__ = ["DEFAULT_MODEL", "load_model"]

DEFAULT_MODEL = "lexical"

_MODELS: Mapping[str, Callable[[], DecisionModel]] = MappingProxyType({"lexical": LexicalModel})


def load_model(spec: str) -> Decider:
    """The model of that name, behind the answer cache and the retries.

    Args:
        spec: "lexical".

    Raises:
        UnknownModelError: There is no such model.
    """
    if spec not in _MODELS:
        raise UnknownModelError(f"there is no model {spec!r}: use {' or '.join(sorted(_MODELS))}")
    return Decider(_MODELS[spec]())
