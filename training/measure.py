"""How well a network ranks pages: hits among the first k, and whether it knows when no page answers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thumbindex.decision.embedded.windows import question_pieces, rows
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.terms import content_terms
from training.batches import best_windows
from training.corpus import Corpus, Reading, load_split

__all__ = ["KS", "Case", "Scorer", "auroc", "cases", "hits", "page_scores", "table"]

KS = (1, 2, 3, 5, 10)
CANDIDATES = 40
WINDOWS = 2
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0)
_BATCH = 64

Scorer = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Scores of rows of ids and segments."""


@dataclass(frozen=True)
class Case:
    """A question and the pages that lexical ranking puts first.

    Attributes:
        set: Where it is from.
        question: What is asked.
        pages: The candidates, best first.
        log_odds: What lexical ranking says of them.
        windows: For each window to score, the place of its page among the candidates.
        ids: What the network reads of the windows.
        segments: Same shape.
    """

    set: str
    question: EvaluationQuestion
    pages: np.ndarray
    log_odds: np.ndarray
    windows: np.ndarray
    ids: np.ndarray
    segments: np.ndarray


def cases(corpus: Corpus, path: Path) -> dict[str, list[Case]]:
    """The questions about documents kept apart, by set, kept in `path`; FinanceBench only to be reported."""
    if path.exists():
        return pickle.loads(path.read_bytes())  # our own file
    apart = load_split("development")
    found = {
        "written": list(_cases(corpus, "written", apart)),
        "mmlongbench": list(_cases(corpus, "mmlongbench", apart)),
        "financebench": list(_cases(corpus, "financebench", frozenset(corpus.documents("financebench")))),
    }
    path.write_bytes(pickle.dumps(found))
    return found


def _cases(corpus: Corpus, source: str, documents: frozenset[str]) -> Iterator[Case]:
    readings: dict[str, Reading] = {}
    for entry in corpus.asked(source):
        question = entry.question
        if question.document not in documents:
            continue
        if question.document not in readings:
            readings[question.document] = corpus.read(question.document)
        reading = readings[question.document]
        yield _case(source, question, reading, corpus.vocabulary)


def _case(source: str, question: EvaluationQuestion, reading: Reading, vocabulary: WordPiece) -> Case:
    log_odds = reading.terms.passages.log_odds(content_terms(question.question))
    best = np.argsort(-log_odds, kind="stable")[:CANDIDATES]
    asked = question_pieces(question.question, vocabulary)
    windows = [
        (place, reading.pages[row], span)
        for place, row in enumerate(best.tolist())
        for span in best_windows(asked, reading.pages[row], reading.weights, WINDOWS)
    ]
    ids, segments = rows(asked, [(text, span) for _, text, span in windows])
    places = np.array([place for place, _, _ in windows])
    return Case(source, question, best + 1, log_odds[best], places, ids.astype(np.int32), segments.astype(np.int8))


def page_scores(case: Case, score: Scorer, candidates: int = CANDIDATES) -> np.ndarray:
    """The best window of each of the first candidates."""
    used = case.windows < candidates
    ids, segments = case.ids[used].astype(np.int64), case.segments[used].astype(np.int64)
    scores = np.concatenate([score(ids[i : i + _BATCH], segments[i : i + _BATCH]) for i in range(0, len(ids), _BATCH)])
    best = np.full(min(candidates, len(case.pages)), -np.inf)
    np.maximum.at(best, case.windows[used], scores)
    return best


def hits(found: Sequence[Case], scores: Sequence[np.ndarray], share: float) -> np.ndarray:
    """Share of answerable questions with an answering page among the first k, network plus `share` of lexical."""
    rows = []
    for case, score in zip(found, scores, strict=True):
        if not case.question.answerable:
            continue
        total = share * case.log_odds - 1e6
        total[: len(score)] += score + 1e6
        ranking = case.pages[np.argsort(-total, kind="stable")]
        rows.append([bool(case.question.evidence & set(ranking[:k].tolist())) for k in KS])
    return np.mean(rows, axis=0)


def auroc(found: Sequence[Case], values: Sequence[float]) -> float | None:
    """How often an answerable question has the higher value than one that nothing answers; None without both."""
    right = np.array([v for case, v in zip(found, values, strict=True) if case.question.answerable])
    wrong = np.array([v for case, v in zip(found, values, strict=True) if not case.question.answerable])
    if not len(right) or not len(wrong):
        return None
    return round(float((right[:, None] > wrong).mean() + (right[:, None] == wrong).mean() / 2), 3)


def table(found: Sequence[Case], score: Scorer, candidates: int = CANDIDATES) -> dict[str, object]:
    """Hits of lexical ranking, of the network, of both with the best share; and what tells that nothing answers."""
    scores = [page_scores(case, score, candidates) for case in found]
    by_share = {share: hits(found, scores, share) for share in SHARES}
    best = max(by_share, key=lambda share: by_share[share].sum())
    top = [float(s.max()) for s in scores]
    return {
        "questions": len(found),
        "lexical": hits(found, [np.zeros(len(case.pages)) for case in found], 1.0).round(3).tolist(),
        "network": by_share[0.0].round(3).tolist(),
        "both": by_share[best].round(3).tolist(),
        "share": best,
        "no_answer_auroc": auroc(found, top),
        "no_answer_auroc_lexical": auroc(found, [float(case.log_odds.max()) for case in found]),
    }
