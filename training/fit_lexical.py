"""Fit the weights of lexical ranking: `python training/fit_lexical.py DATA` prints `FIELD_WEIGHTS` and what they reach.

DATA holds `written` and `mmlongbench` (`questions.jsonl`, `pdfs/`, and the latter `split.json`). Softmax
regression: the log-odds of a page are a weighted sum of the evidence of its fields, and the pages that answer shall
hold the most probability. Trained on every third written question and MMLongBench's training documents; FinanceBench,
if it lies in DATA, is only measured. Needs scipy.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from thumbindex import Library
from thumbindex.bm25 import BM25
from thumbindex.evaluation.metrics import KS
from thumbindex.evaluation.questions import load_questions
from thumbindex.passages import FIELD_WEIGHTS, FIELDS
from thumbindex.search import DocumentTerms
from thumbindex.terms import content_terms, terms

WRITTEN_STEP = 3
RIDGE = 1e-3


@dataclass(frozen=True)
class Case:
    """A question that its document answers: evidence by page and field, plain BM25 by page, and the right pages."""

    document: str
    evidence: np.ndarray
    floor: np.ndarray
    pages: frozenset[int]

    @property
    def rows(self) -> list[int]:
        """Rows of the right pages."""
        return [page - 1 for page in self.pages if 1 <= page <= len(self.floor)]


def cases(folder: Path, library: Library, step: int = 1) -> list[Case]:
    """The answerable questions of a set."""
    found, ready = [], {}
    for question in load_questions(folder / "questions.jsonl")[::step]:
        if not question.answerable:
            continue
        if question.document not in ready:
            opened = library.open(folder / "pdfs" / question.document)
            counted = DocumentTerms.from_document(opened.document, opened.tree)
            ready[question.document] = counted, BM25(terms(page.text) for page in opened.pages)
        counted, floor = ready[question.document]
        asked = content_terms(question.question)
        found.append(Case(question.document, counted.passages.evidence(asked), floor.scores(asked), question.evidence))
    return found


def fitted(training: list[Case]) -> np.ndarray:
    """The weights under which the right pages are most probable."""

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros(len(FIELDS))
        for case in training:
            log_odds = case.evidence @ weights
            share = np.exp(log_odds - log_odds.max())
            share /= share.sum()
            right = np.zeros(len(share))
            right[case.rows] = share[case.rows] / share[case.rows].sum()
            total -= np.log(share[case.rows].sum())
            slope -= case.evidence.T @ (right - share)
        count = len(training)
        return total / count + RIDGE * weights @ weights, slope / count + 2 * RIDGE * weights

    return minimize(loss, np.full(len(FIELDS), 0.2), jac=True, method="L-BFGS-B").x


def hits(case: Case, scores: np.ndarray) -> list[bool]:
    """Whether a right page is among the first k, for each k."""
    ranking = np.argsort(-scores, kind="stable") + 1
    return [bool(case.pages & set(ranking[:k].tolist())) for k in KS]


def main() -> None:
    """Fit, and print hit@1/2/3/5/10 of plain BM25, of the weights in the package, and of the fitted ones."""
    data, library = Path(sys.argv[1]), Library.from_cache()
    sets = {name: cases(data / name, library, step) for name, step in (("written", WRITTEN_STEP), ("mmlongbench", 1))}
    split = json.loads((data / "mmlongbench" / "split.json").read_text())
    train = [case for case in sets["mmlongbench"] if split.get(case.document) == "train"]
    weights = fitted([case for case in sets["written"] + train if case.rows])
    print("FIELD_WEIGHTS", dict(zip(FIELDS, weights.round(2).tolist(), strict=True)))
    if (data / "financebench").is_dir():
        sets["financebench"] = cases(data / "financebench", library)
    for name, group in sets.items():
        for title, by in (
            ("bm25", lambda case: case.floor),
            ("now", lambda case: case.evidence @ np.asarray(FIELD_WEIGHTS)),
            ("fitted", lambda case: case.evidence @ weights),
        ):
            print(f"{name:14} {title:7}", np.mean([hits(case, by(case)) for case in group], axis=0).round(3))


if __name__ == "__main__":
    main()
