"""Fit the lexical model: `python training/fit_lexical.py DATA` prints its constants and what they reach.

DATA holds `written` and `mmlongbench` (`questions.jsonl`, `pdfs/`, and the latter `split.json`). `FIELD_WEIGHTS` by
softmax regression: the log-odds of a page are a weighted sum of the evidence of its fields, and the pages that answer
shall hold the most probability. `NOUL_WEIGHTS` and `NOUL_BIAS` by logistic regression over the pages that this ranking
puts first, of unanswerable questions too. Trained on every third written question and MMLongBench's training
documents; FinanceBench, if it lies in DATA, is only measured. Needs scipy.
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
from thumbindex.decision.lexical import NOUL_FEATURES, noul_features
from thumbindex.evaluation.metrics import KS
from thumbindex.evaluation.questions import load_questions
from thumbindex.passages import FIELD_WEIGHTS, FIELDS, passage_terms
from thumbindex.search import DocumentTerms
from thumbindex.terms import content_terms, terms

WRITTEN_STEP = 3
CHECKED_PAGES = 2
RIDGE = 1e-3


@dataclass(frozen=True)
class Case:
    """A question: evidence by page and field, plain BM25 by page, the right pages, and what a check sees by page."""

    document: str
    evidence: np.ndarray
    floor: np.ndarray
    pages: frozenset[int]
    checks: np.ndarray

    @property
    def rows(self) -> list[int]:
        """Rows of the right pages."""
        return [page - 1 for page in self.pages if 1 <= page <= len(self.floor)]


def cases(folder: Path, library: Library, step: int = 1) -> list[Case]:
    """The questions of a set."""
    found, ready = [], {}
    for question in load_questions(folder / "questions.jsonl")[::step]:
        if question.document not in ready:
            opened = library.open(folder / "pdfs" / question.document)
            counted = DocumentTerms.from_document(opened.document, opened.tree)
            read = [passage_terms(text) for text in counted.page_texts]
            ready[question.document] = counted, BM25(terms(page.text) for page in opened.pages), read
        counted, floor, read = ready[question.document]
        asked = content_terms(question.question)
        checks = np.array([noul_features(asked, text) for text in read])
        evidence = counted.passages.evidence(asked)
        found.append(Case(question.document, evidence, floor.scores(asked), question.evidence, checks))
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


def fitted_check(training: list[Case]) -> np.ndarray:
    """Weights of `NOUL_FEATURES` and the bias, under which the labels of the first pages are most probable."""
    rows, labels = [], []
    for case in training:
        for row in np.argsort(-(case.evidence @ np.asarray(FIELD_WEIGHTS)), kind="stable")[:CHECKED_PAGES]:
            rows.append([*case.checks[row], 1.0])
            labels.append(row in case.rows)
    features, answers = np.array(rows), np.array(labels, dtype=float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = features @ weights
        slope = features.T @ (1 / (1 + np.exp(-log_odds)) - answers) / len(answers)
        held = np.append(weights[:-1], 0.0)
        total = np.mean(np.logaddexp(0, log_odds) - answers * log_odds)
        return float(total + RIDGE / 2 * held @ held), slope + RIDGE * held

    return minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x


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
    check = fitted_check([case for case in sets["written"] + train if case.floor.any()])
    print("NOUL_WEIGHTS", dict(zip((*NOUL_FEATURES, "bias"), check.round(2).tolist(), strict=True)))
    if (data / "financebench").is_dir():
        sets["financebench"] = cases(data / "financebench", library)
    for name, group in sets.items():
        for title, by in (
            ("bm25", lambda case: case.floor),
            ("now", lambda case: case.evidence @ np.asarray(FIELD_WEIGHTS)),
            ("fitted", lambda case: case.evidence @ weights),
        ):
            reached = np.mean([hits(case, by(case)) for case in group if case.pages], axis=0)
            print(f"{name:14} {title:7}", reached.round(3))


if __name__ == "__main__":
    main()
