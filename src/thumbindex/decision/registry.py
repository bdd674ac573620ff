"""Decision models by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from thumbindex.decision.base import DecisionModel
from thumbindex.decision.batch import Decider
from thumbindex.decision.embedded.model import EmbeddedModel
from thumbindex.decision.lexical import LexicalModel
from thumbindex.errors import UnknownModelError

__all__ = ["DEFAULT_MODEL", "load_model"]

DEFAULT_MODEL = "embedded"

# One for all that ask: its network and what it remembers of the texts it read are worth sharing.
_embedded = cache(EmbeddedModel.from_folder)

_MODELS: Mapping[str, Callable[[], DecisionModel]] = MappingProxyType({"embedded": _embedded, "lexical": LexicalModel})


def load_model(spec: str) -> Decider:
    """The model of that name, behind the answer cache and the retries.

    Args:
        spec: "embedded", the default, or "lexical".

    Raises:
        UnknownModelError: There is no such model.
        BackendUnavailableError: Its files are missing or damaged.
    """
    if spec not in _MODELS:
        raise UnknownModelError(f"there is no model {spec!r}: use {' or '.join(sorted(_MODELS))}")
    return Decider(_MODELS[spec]())
