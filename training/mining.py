"""Negatives that the last network finds hard, in place of those that lexical ranking puts first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import torch

from thumbindex.decision.embedded.windows import question_pieces, rows
from thumbindex.decision.embedded.wordpiece import WordPiece
from training.batches import best_windows
from training.groups import Group
from training.network import CrossEncoder
from training.prepare import Prepared

__all__ = ["mined"]

LOOKED_AT = 10
# A page that the network prefers by this much to the one that is known to answer often answers as well.
MARGIN = 1.0
_SOURCES = ("written", "more")
_WORKERS = 2

Score = Callable[[np.ndarray, np.ndarray], np.ndarray]


def mined(prepared: Prepared, network: CrossEncoder, vocabulary: WordPiece) -> Prepared:
    """The groups with their negatives in the order of the network's scores, those left out that may well answer."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = network.to(device)
    network.dtype = torch.bfloat16
    torch.set_num_threads(1)

    def score(ids: np.ndarray, segments: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found = network(torch.from_numpy(ids).to(device), torch.from_numpy(segments).to(device))
        return found.float().cpu().numpy()

    def mine(group: Group) -> Group:
        if group.source not in _SOURCES or group.kind != "page":
            return group
        return _mined(group, prepared.weights, vocabulary, score)

    with ThreadPoolExecutor(_WORKERS) as executor:
        return Prepared(tuple(executor.map(mine, prepared.groups)), prepared.weights)


def _mined(group: Group, weights: Mapping[str, np.ndarray], vocabulary: WordPiece, score: Score) -> Group:
    asked = question_pieces(group.question, vocabulary)
    texts = (*group.positives, *group.negatives[:LOOKED_AT])
    windows = [(text, best_windows(asked, text, weights[group.document], 1)[0]) for text in texts]
    scores = score(*rows(asked, windows))
    right, wrong = scores[: len(group.positives)], scores[len(group.positives) :]
    limit = right.max() + MARGIN if len(right) else np.inf
    kept = [int(number) for number in np.argsort(-wrong) if wrong[number] <= limit]
    rest = group.negatives[LOOKED_AT:]
    return replace(group, negatives=tuple(group.negatives[number] for number in kept) + rest)
