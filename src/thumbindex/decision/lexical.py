"""The decision model without weights: it counts words. The floor that any other model is measured against.

It answers whether a text holds the words of a question, not whether it is true, polite, or long.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from thumbindex.decision.base import Choice, Decision, Limits, Noul, Request, Score, State, Usage, checked
from thumbindex.decision.states import graded, question_and_text, question_of
from thumbindex.passages import Passages, PassageTerms, passage_terms
from thumbindex.terms import content_terms
from thumbindex.tokens import estimate_tokens

__all__ = ["NOUL_BIAS", "NOUL_FEATURES", "NOUL_WEIGHTS", "LexicalModel", "noul_features"]

# Logistic regression over the best sixteen pages of the training questions (written set, part of MMLongBench).
# The bias is 0.85 below the fitted one: where it said 0.7 the labels said 0.3 to 0.45, and at the fitted bias the pages
# that passed the check pushed better ones down the ranking, below plain BM25 on MMLongBench.
NOUL_FEATURES = ("covered", "window", "pairs", "title", "figures", "repeated", "text_length", "question_length")
NOUL_WEIGHTS = (1.43, 3.62, 0.32, -0.5, 1.65, -2.32, 0.01, 1.05)
NOUL_BIAS = -6.34

_WINDOW = 30
_REMEMBERED_TEXTS = 8_192


class LexicalModel:
    """Decides by the words that question and text share. Deterministic; no answer depends on the order or the batch."""

    def __init__(self) -> None:
        self._read = lru_cache(_REMEMBERED_TEXTS)(_read)

    @property
    def name(self) -> str:
        """Name and version."""
        return "lexical-1"

    @property
    def limits(self) -> Limits:
        """None: any number of options of any length."""
        return Limits()

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests."""
        return [self._decide(request) for request in requests]

    def _decide(self, request: Request) -> Decision:
        began = time.perf_counter()
        match request.question:
            case Choice() as choice:
                probabilities, tokens = self._choose(choice, request.state)
            case Noul() as noul:
                probability, tokens = self._judge(*question_and_text(request.state, noul.instructions, noul.when_true))
                probabilities = {"true": probability, "false": 1 - probability}
            case Score() as score:
                probability, tokens = self._judge(*question_and_text(request.state, score.instructions))
                probabilities = graded(probability, len(score.levels))
        usage = Usage(1, tokens, 0, time.perf_counter() - began)
        return Decision(request.question, checked(request.question, probabilities, self.name), self.name, usage)

    def _choose(self, choice: Choice, state: State) -> tuple[dict[str, float], int]:
        asked = question_of(state, choice.instructions)
        read = [self._read(text) for text in choice.options.values()]
        log_odds = Passages([terms for terms, _ in read]).log_odds(content_terms(asked))
        odds = np.exp(log_odds - log_odds.max())
        tokens = estimate_tokens(asked) + sum(count for _, count in read)
        return dict(zip(choice.options, (odds / odds.sum()).tolist(), strict=True)), tokens

    def _judge(self, question: str, text: str) -> tuple[float, int]:
        terms, tokens = self._read(text)
        log_odds = NOUL_BIAS + float(noul_features(content_terms(question), terms) @ np.asarray(NOUL_WEIGHTS))
        return float(1 / (1 + np.exp(-log_odds))), tokens + estimate_tokens(question)


def noul_features(question: Sequence[str], text: PassageTerms) -> np.ndarray:
    """The features of `NOUL_FEATURES` for a question's content terms and a text.

    Shares of the question's terms: anywhere in the text, in its best window, in its title; of its neighbouring pairs;
    of its figures and years. Then how often the terms are repeated, saturating, and the logarithms of both lengths.
    """
    asked = set(question)
    counts = dict.fromkeys(asked, 0)
    for term in text.terms:
        if term in counts:
            counts[term] += 1
    pairs = set(pairwise(question))
    figures = {term for term in asked if any(character.isdigit() for character in term)}
    found = {term for term, count in counts.items() if count}
    return np.array(
        [
            _share(found, asked),
            _best_window(asked, text.terms) / max(1, len(asked)),
            _share(pairs & set(pairwise(text.terms)), pairs),
            _share(asked & set(text.terms[: text.title_length]), asked),
            _share(found & figures, figures) if figures else 1.0,
            sum(count / (count + 1.2) for count in counts.values()) / max(1, len(asked)),
            np.log1p(len(text.terms)),
            np.log1p(len(asked)),
        ]
    )


def _read(text: str) -> tuple[PassageTerms, int]:
    return passage_terms(text), estimate_tokens(text)


def _share(part: set[str] | set[tuple[str, str]], whole: set[str] | set[tuple[str, str]]) -> float:
    return len(part) / len(whole) if whole else 0.0


def _best_window(asked: set[str], terms: Sequence[str]) -> int:
    """The most distinct terms of `asked` within `_WINDOW` neighbouring terms."""
    inside: dict[str, int] = {}
    best = 0
    places = [(place, term) for place, term in enumerate(terms) if term in asked]
    first = 0
    for place, term in places:
        inside[term] = inside.get(term, 0) + 1
        while places[first][0] <= place - _WINDOW:
            left = places[first][1]
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
            first += 1
        best = max(best, len(inside))
    return best
