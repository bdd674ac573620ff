"""The decision model inside the package: a small network and the words in common, each option on its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from thumbindex.decision.base import Choice, Decision, Limits, Noul, Request, Score, State, Usage, checked
from thumbindex.decision.embedded.calibration import Calibration
from thumbindex.decision.embedded.menus import MOST_WINDOWS, REACH, menu_kind, read_menu, text_kind
from thumbindex.decision.embedded.reader import Reader, Wanted
from thumbindex.decision.embedded.windows import LENGTH
from thumbindex.decision.lexical import noul_features
from thumbindex.decision.states import graded, question_and_text, question_of
from thumbindex.passages import Passages, passage_terms
from thumbindex.terms import content_terms

__all__ = ["NAME", "WEIGHTS", "EmbeddedModel"]

NAME = "embedded-1"
WEIGHTS = Path(__file__).parent / "weights"

# The words of a menu of all pages are counted once for all questions; those of other menus belong to one question.
_REMEMBERED_MENUS = 2
_REMEMBERED_TEXTS = 8_192


class EmbeddedModel:
    """Decides by what a network reads in the texts, and by their words. Deterministic, whatever order or batch.

    It says which text answers a question; it does not judge tone or do arithmetic.

    Args:
        reader: Reads texts.
        calibration: Makes probabilities of what it says.
    """

    def __init__(self, reader: Reader, calibration: Calibration) -> None:
        self._reader = reader
        self._calibration = calibration
        self._terms = lru_cache(_REMEMBERED_TEXTS)(passage_terms)
        self._page_menu = lru_cache(_REMEMBERED_MENUS)(self._passages)

    @classmethod
    def from_folder(cls, folder: Path = WEIGHTS) -> EmbeddedModel:
        """The model of a folder with `reader.onnx`, `vocab.txt` and `calibration.json`; by default the package's own.

        Raises:
            BackendUnavailableError: One of them is missing or damaged.
        """
        return cls(Reader.from_folder(folder), Calibration.from_file(folder / "calibration.json"))

    @property
    def name(self) -> str:
        """Name and version."""
        return NAME

    @property
    def limits(self) -> Limits:
        """None: any number of options of any length."""
        return Limits()

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests."""
        began = time.perf_counter()
        judged = [_judged(request) for request in requests if not isinstance(request.question, Choice)]
        self._reader.read([Wanted(question, text, MOST_WINDOWS) for question, text in judged])
        reading_s = (time.perf_counter() - began) / max(1, len(requests))
        return [self._decide(request, reading_s) for request in requests]

    def forecast(self, requests: Sequence[Request]) -> Usage:
        """The word pieces that the answers take at most: of all windows that may be read, were each of them full."""
        return Usage(len(requests), LENGTH * sum(map(_most_windows, requests)))

    def _decide(self, request: Request, reading_s: float) -> Decision:
        began = time.perf_counter()
        match request.question:
            case Choice() as choice:
                probabilities, pieces = self._choose(choice, request.state)
            case Noul():
                probability, pieces = self._check(request)
                probabilities = {"true": probability, "false": 1 - probability}
            case Score(levels):
                probability, pieces = self._check(request)
                probabilities = graded(probability, len(levels))
        usage = Usage(1, pieces, 0, reading_s + time.perf_counter() - began)
        return Decision(request.question, checked(request.question, probabilities, self.name), self.name, usage)

    def _choose(self, choice: Choice, state: State) -> tuple[dict[str, float], int]:
        kind, question = menu_kind(choice), question_of(state, choice.instructions)
        texts = tuple(choice.options.values())
        menu = self._page_menu(texts) if kind == "page" else self._passages(texts)
        lexical = menu.log_odds(content_terms(question))
        fusion = self._calibration.menus[kind]
        read = read_menu(question, texts, lexical, self._reader, REACH[kind], fusion)
        log_odds = fusion.log_odds(lexical, read.scores)
        odds = np.exp(log_odds - log_odds.max())
        return dict(zip(choice.options, (odds / odds.sum()).tolist(), strict=True)), read.pieces

    def _passages(self, texts: Sequence[str]) -> Passages:
        return Passages([self._terms(text) for text in texts])

    def _check(self, request: Request) -> tuple[float, int]:
        question, text = _judged(request)
        (reading,) = self._reader.read([Wanted(question, text, MOST_WINDOWS)])
        lexical = noul_features(content_terms(question), self._terms(text))
        return self._calibration.checks[text_kind(text)].probability(reading.scores, lexical), reading.pieces


def _most_windows(request: Request) -> int:
    if not isinstance(request.question, Choice):
        return MOST_WINDOWS
    reach, options = REACH[menu_kind(request.question)], len(request.question.options)
    return min(options, reach.options) + min(options, reach.deep) * MOST_WINDOWS


def _judged(request: Request) -> tuple[str, str]:
    """What a Noul or a Score asks, and of which text."""
    when_true = request.question.when_true if isinstance(request.question, Noul) else ""
    return question_and_text(request.state, request.question.instructions, when_true)
