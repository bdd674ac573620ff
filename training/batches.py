"""Groups to what the network reads: which groups in which step, and which windows of their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from thumbindex.decision.embedded.windows import Span, TextPieces, overlaps, question_pieces, rows, spans
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.terms import STOPWORDS
from training.groups import Group

__all__ = ["Batch", "batch", "best_windows", "plan"]

NEGATIVES = 4
GROUPS_PER_STEP, LINE_GROUPS_PER_STEP = 8, 16
# How often each kind of group is met, by source, kind of text and whether anything answers. Set by hand: questions
# written by people first; what is made from tables and headings only so often that it does not set the tone.
SHARES: Mapping[tuple[str, str, bool], float] = {
    ("written", "page", True): 0.33,
    ("more", "page", True): 0.15,
    ("written", "page", False): 0.07,
    ("more", "page", False): 0.05,
    ("twin", "page", False): 0.05,
    ("tatqa", "page", True): 0.10,
    ("weak", "page", True): 0.08,
    ("written", "section", True): 0.12,
    ("more", "section", True): 0.05,
}
_LINE_STEPS = 0.08
_KEYWORD_SHARE = 0.12
_NO_TITLE_SHARE = 0.1
_SECOND_BEST_SHARE = 0.25
_BOTH_BEST_SHARE = 0.5
_NO_TITLE = np.empty(0, np.int32)


@dataclass(frozen=True)
class Batch:
    """What the network reads in one step.

    Attributes:
        ids: Shape `(windows, length)`.
        segments: Same shape.
        text: For each window, the text it is from, counted over the whole batch.
        present: For each group and slot whether there is a text, shape `(groups, 1 + NEGATIVES)`; slot 0 answers.
    """

    ids: Tensor
    segments: Tensor
    text: Tensor
    present: Tensor


def plan(groups: Sequence[Group], steps: int, seed: int) -> list[list[int]]:
    """The groups of each step: every pool is gone through in random order, again and again."""
    rng = np.random.default_rng(seed)
    pools: dict[tuple[str, str, bool], list[int]] = {}
    for number, group in enumerate(groups):
        pools.setdefault((group.source, group.kind, bool(group.positives)), []).append(number)
    names = [name for name in SHARES if name in pools]
    shares = np.array([SHARES[name] for name in names])
    decks: dict[tuple[str, str, bool], list[int]] = {name: [] for name in pools}
    lines = ("tatqa", "line", True)
    found = []
    for _ in range(steps):
        if rng.random() < _LINE_STEPS:
            drawn = [lines] * LINE_GROUPS_PER_STEP
        else:
            drawn = [names[i] for i in rng.choice(len(names), GROUPS_PER_STEP, p=shares / shares.sum())]
        found.append([_draw(name, pools, decks, rng) for name in drawn])
    return found


def batch(
    groups: Sequence[Group], weights: Mapping[str, np.ndarray], vocabulary: WordPiece, rng: np.random.Generator
) -> Batch:
    """The windows of some groups, the negatives and the wording drawn by `rng`."""
    parts, texts = [], []
    present = np.zeros((len(groups), 1 + NEGATIVES), bool)
    for number, group in enumerate(groups):
        asked = question_pieces(
            _as_keywords(group.question) if rng.random() < _KEYWORD_SHARE else group.question, vocabulary
        )
        for slot, text, count in _drawn(group, rng):
            present[number, slot] = True
            shown = TextPieces(_NO_TITLE, text.body) if rng.random() < _NO_TITLE_SHARE else text
            windows = best_windows(asked, shown, weights[group.document], 2)
            if slot and len(windows) > 1:
                windows = windows[1:2] if rng.random() < _SECOND_BEST_SHARE else windows[:1]
            parts += [(asked, shown, window) for window in windows[:count]]
            texts += [number * (1 + NEGATIVES) + slot] * min(count, len(windows))
    ids, segments = _stacked([rows(asked, [(text, window)]) for asked, text, window in parts])
    return Batch(ids, segments, torch.tensor(texts), torch.from_numpy(present))


def best_windows(question: np.ndarray, text: TextPieces, weights: np.ndarray, count: int) -> list[Span]:
    """The windows that hold most of the question, the earlier of equals first."""
    windows = spans(question, text)
    if len(windows) > 1:
        best = np.argsort(-overlaps(question, text, windows, weights), kind="stable")[:count]
        windows = windows[best]
    return [(int(start), int(end)) for start, end in windows]


def _draw(
    name: tuple[str, str, bool],
    pools: dict[tuple[str, str, bool], list[int]],
    decks: dict[tuple[str, str, bool], list[int]],
    rng: np.random.Generator,
) -> int:
    if not decks[name]:
        decks[name] = [pools[name][i] for i in rng.permutation(len(pools[name]))]
    return decks[name].pop()


def _drawn(group: Group, rng: np.random.Generator) -> list[tuple[int, TextPieces, int]]:
    """Slot, text and how many of its windows: one text that answers, if any does, and some that do not."""
    found = []
    if group.positives:
        count = 2 if rng.random() < _BOTH_BEST_SHARE else 1
        found.append((0, group.positives[int(rng.integers(len(group.positives)))], count))
    chances = 1 / (np.arange(len(group.negatives)) + 3.0)
    count = min(NEGATIVES, len(group.negatives))
    chosen = rng.choice(len(group.negatives), count, replace=False, p=chances / chances.sum()) if count else []
    return found + [(slot, group.negatives[int(number)], 1) for slot, number in enumerate(chosen, 1)]


def _as_keywords(question: str) -> str:
    """The question as one would type it into a search box."""
    words = [word for word in re.findall(r"[^\s?!,;]+", question.lower()) if word not in STOPWORDS]
    return " ".join(words) or question


def _stacked(parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[Tensor, Tensor]:
    longest = max(ids.shape[1] for ids, _ in parts)
    padded = [[np.pad(array, ((0, 0), (0, longest - array.shape[1]))) for array in part] for part in parts]
    ids, segments = (np.concatenate([pair[i] for pair in padded]) for i in (0, 1))
    return torch.from_numpy(ids), torch.from_numpy(segments)
