"""What makes probabilities of what the network reads and of words in common: see training/fit_calibration.py."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thumbindex.decision.lexical import NOUL_FEATURES
from thumbindex.errors import BackendUnavailableError

__all__ = ["CHECK_FEATURES", "MENUS", "Calibration", "Check", "Floats", "Fusion", "check_features"]

MENUS = ("page", "section", "line")
"""The kinds of menus that are calibrated apart: what else is chosen from counts as pages."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fusion:
    """The log-odds of an option: a weighted sum, whose softmax over a menu is calibrated.

    Attributes:
        lexical: Weight of the log-odds by words.
        network: Weight of the best window's score.
        second: Weight of the second best window's score.
        unread: What stands for the score of an option that was not read.
    """

    lexical: float
    network: float
    second: float
    unread: float

    def log_odds(self, lexical: Floats, scores: Floats) -> Floats:
        """The log-odds of the options, shape `(options,)`.

        Args:
            lexical: Log-odds by words, shape `(options,)`.
            scores: Of the best and the second best window, NaN where there is none; shape `(options, 2)`.
        """
        best = np.where(np.isnan(scores[:, 0]), self.unread, scores[:, 0])
        second = np.where(np.isnan(scores[:, 1]), best, scores[:, 1])
        fused: Floats = self.lexical * lexical + self.network * best + self.second * second
        return fused


CHECK_FEATURES = ("network", "second", *NOUL_FEATURES)
"""What the check of a text weighs: its best and second best window, and its words as `noul_features` counts them."""


@dataclass(frozen=True, slots=True)
class Check:
    """The probability that a text answers: logistic in its features.

    Attributes:
        bias: Log-odds where all features are 0.
        weights: Of `CHECK_FEATURES`.
    """

    bias: float
    weights: tuple[float, ...]

    def probability(self, scores: Sequence[float], lexical: Floats) -> float:
        """That the text answers, from the scores of its windows, best first, and its `noul_features`."""
        features = check_features(scores, lexical)
        return float(1 / (1 + np.exp(-(self.bias + features @ np.asarray(self.weights)))))


def check_features(scores: Sequence[float], lexical: Floats) -> Floats:
    """`CHECK_FEATURES`; a text of one window counts it as its second too."""
    return np.concatenate([[scores[0], scores[1] if len(scores) > 1 else scores[0]], lexical])


@dataclass(frozen=True, slots=True)
class Calibration:
    """How scores become probabilities.

    Attributes:
        menus: By kind of menu, how an option's words and its windows are weighed.
        checks: By length of text, "page" or "line", the check whether it answers.
        network: SHA-256 of the network that this was fitted to, as hexadecimal.
    """

    menus: Mapping[str, Fusion]
    checks: Mapping[str, Check]
    network: str = ""

    @classmethod
    def from_file(cls, path: Path) -> Calibration:
        """What `to_json` wrote.

        Raises:
            BackendUnavailableError: The file is missing or damaged.
        """
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BackendUnavailableError(f"cannot read the calibration {path}: install thumbindex again") from error

    @classmethod
    def from_json(cls, values: Any) -> Calibration:
        """What `to_json` gave."""
        menus = {kind: Fusion(**values["menus"][kind]) for kind in MENUS}
        checks = {
            kind: Check(v["bias"], tuple(v["weights"][name] for name in CHECK_FEATURES))
            for kind, v in values["checks"].items()
        }
        return cls(MappingProxyType(menus), MappingProxyType(checks), values["network"])

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        checks = {
            kind: {"bias": check.bias, "weights": dict(zip(CHECK_FEATURES, check.weights, strict=True))}
            for kind, check in self.checks.items()
        }
        return {
            "menus": {kind: asdict(fusion) for kind, fusion in self.menus.items()},
            "checks": checks,
            "network": self.network,
        }
