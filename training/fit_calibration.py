"""Fit what makes probabilities of the network's scores: `python -m training.fit_calibration DATA`.

DATA holds `written` and `mmlongbench` (`questions.jsonl`, `pdfs/`) and `tatqa`. Only documents that the network was not
trained on are used (`training/split.json`); FinanceBench is not used. Fitted, each by maximum likelihood:

1. For each kind of menu, how an option's words and windows are weighed (softmax: the right options shall hold the most
   probability), and the logistic that makes a probability of a check. They go to `weights/calibration.json`.
2. With those, for each model, the logistic that says whether the document answers, and the one that joins a page's
   check with the choice among the pages and with that verdict: to `search/fitted.json`.

Figures are printed for documents left out of the fit (five folds by document); what is written is fitted on all. With
`--scores FILE` the scores of windows are kept there, and a second run with the same network takes a minute or two.
Needs scipy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from thumbindex import Library
from thumbindex.decision.base import DecisionModel
from thumbindex.decision.embedded.calibration import Calibration, Check, Fusion
from thumbindex.decision.embedded.model import WEIGHTS, EmbeddedModel
from thumbindex.decision.embedded.reader import Reader
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.decision.lexical import LexicalModel
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.search import SearchOptions
from thumbindex.search import fitted as searching
from thumbindex.search.answered import ANSWER_FEATURES, answer_features
from thumbindex.search.beam import LEAST_HELD
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.page_probability import PAGE_FEATURES, page_features
from thumbindex.search.pipeline import Weighed, weigh
from training.calibration_cases import (
    Cases,
    CheckCase,
    MenuCase,
    ReadTexts,
    add_lines,
    add_question,
    calibration_questions,
    inquiries,
)
from training.fits import area_under_roc, calibration_error, coverage_at, fitted_logistic, folds, sigmoid
from training.kept_scores import KeptNetwork

FITTED = Path(searching.__file__).parent / "fitted.json"
SPLIT = Path(__file__).parent / "split.json"
HITS = (1, 3, 5, 10)
RIDGE_MENU = 1e-3
# A dozen features of a few hundred questions: the best check is weighed freely; the ridge on the others is the one that
# does best on documents left out; and what can only speak for an answer, or only against one, does.
HELD = {
    "signs": [1 if name in {"best", "chosen"} else -1 if "missing" in name else 0 for name in ANSWER_FEATURES[1:]],
    "free": [ANSWER_FEATURES.index("best") - 1],
}
# All that is weighed of a page can only speak for it.
FOR_A_PAGE = [1] * (len(PAGE_FEATURES) - 1)
RIDGES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
# Of the fields of `Fusion`. Words count at least so much everywhere: the menus of lines that there are to fit to are
# training data of the network, which is surer of them than it will be. Where everything is read, any `unread` fits.
BOUNDS = ((0.3, None), (0.0, None), (0.0, None), (-12.0, 6.0))


def fitted_fusion(cases: Sequence[MenuCase]) -> Fusion:
    """The weights under which the right options hold the most probability."""

    def loss(weights: np.ndarray) -> float:
        fusion = Fusion(*weights)
        return float(np.mean([surprise(case, fusion) for case in cases])) + RIDGE_MENU * float(
            weights[:3] @ weights[:3]
        )

    found = minimize(loss, np.array([0.7, 0.5, 0.1, -4.0]), method="L-BFGS-B", bounds=BOUNDS)
    return Fusion(*found.x.round(4).tolist())


def surprise(case: MenuCase, fusion: Fusion) -> float:
    """Minus the logarithm of what probability the right options hold."""
    log_odds = fusion.log_odds(case.lexical, case.scores)
    return float(np.logaddexp.reduce(log_odds) - np.logaddexp.reduce(log_odds[case.right]))


def hits(case: MenuCase, scores: np.ndarray) -> list[bool]:
    """Whether a right option is among the first k, for each k."""
    first = int(np.flatnonzero(case.right[np.argsort(-scores, kind="stable")])[0])
    return [first < k for k in HITS]


def fit_menus(cases: dict[str, list[MenuCase]]) -> dict[str, Fusion]:
    """A fusion for each kind; prints what it is worth on documents left out."""
    fitted = {}
    for kind, menus in cases.items():
        fused, odds, right = [], [], []
        for kept, left in folds([case.group for case in menus]):
            fusion = fitted_fusion([case for case, use in zip(menus, kept, strict=True) if use])
            for case in (case for case, use in zip(menus, left, strict=True) if use):
                log_odds = fusion.log_odds(case.lexical, case.scores)
                fused.append(hits(case, log_odds))
                share = np.exp(log_odds - np.logaddexp.reduce(log_odds))
                odds.append(share.max())
                right.append(case.right[share.argmax()])
        floor = np.mean([hits(case, case.lexical) for case in menus], axis=0)
        ece = calibration_error(np.array(odds), np.array(right))
        fitted[kind] = fitted_fusion(menus)
        print(f"{kind:8} {len(menus):5} menus  words {floor.round(3)}  fused {np.mean(fused, axis=0).round(3)}")
        print(f"{'':8} ECE of the first {ece:.3f}  {fitted[kind]}", flush=True)
    return fitted


def fit_sections(menus: Sequence[MenuCase], calibration: Calibration) -> dict[str, float]:
    """How much the menu of sections and the choice among all pages have to say; prints what that is worth."""

    def evidence(case: MenuCase) -> np.ndarray:
        log_odds = calibration.menus["section"].log_odds(case.lexical, case.scores)
        return np.column_stack([log_odds - np.logaddexp.reduce(log_odds), np.log(case.held + LEAST_HELD)])

    def fit(cases: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        def loss(shares: np.ndarray) -> float:
            odds = [(found @ shares, right) for found, right in cases]
            return float(np.mean([np.logaddexp.reduce(o) - np.logaddexp.reduce(o[right]) for o, right in odds]))

        return minimize(loss, np.array([0.5, 0.5]), method="L-BFGS-B", bounds=((0.0, None), (0.0, None))).x

    cases = [(evidence(case), case.right) for case in menus]
    joined = []
    for kept, left in folds([case.group for case in menus]):
        shares = fit([case for case, use in zip(cases, kept, strict=True) if use])
        joined += [hits(menu, found @ shares) for menu, (found, _), use in zip(menus, cases, left, strict=True) if use]
    fitted = dict(zip(("menu", "pages"), fit(cases).round(4).tolist(), strict=True))
    print(f"sections with the choice among pages: {np.mean(joined, axis=0).round(3)}  {fitted}", flush=True)
    return fitted


def fit_checks(cases: dict[str, list[CheckCase]]) -> dict[str, Check]:
    """A check for each length of text; prints what it is worth on documents left out."""
    fitted = {}
    for kind, checks in cases.items():
        features, right = np.array([case.features for case in checks]), np.array([case.right for case in checks])
        held = left_out(features, right, [case.group for case in checks])
        bias, weights = fitted_logistic(features, right)
        fitted[kind] = Check(round(bias, 4), tuple(weights.round(4).tolist()))
        print(
            f"check of a {kind}: {len(right)} ({right.mean():.3f} right)  ECE {calibration_error(held, right):.3f}"
            f"  AUROC {area_under_roc(held[right], held[~right]):.3f}"
            f"  at 0.5: {np.mean(right[held >= 0.5]):.3f} of {np.sum(held >= 0.5)}",
            flush=True,
        )
    return fitted


def left_out(features: np.ndarray, right: np.ndarray, groups: Sequence[str], **settings: Any) -> np.ndarray:
    """The probability of each case by a logistic fitted without its document."""
    held = np.zeros(len(right))
    for kept, left in folds(groups):
        bias, weights = fitted_logistic(features[kept], right[kept], **settings)
        held[left] = sigmoid(bias + features[left] @ weights)
    return held


def left_out_loss(held: np.ndarray, right: np.ndarray) -> float:
    """Mean surprise at what is so."""
    return float(-np.mean(np.log(np.where(right, held, 1 - held))))


@dataclass(frozen=True)
class Asked:
    """A question of a set, what answers it, and what a model made of it."""

    set: str
    document: str
    evidence: frozenset[int]
    inquiry: Inquiry
    weighed: Weighed


def asked_of(
    model: DecisionModel, sets: Sequence[tuple[str, Sequence[tuple[EvaluationQuestion, Inquiry]]]]
) -> list[Asked]:
    """Each question, and the choice and the checks that the model comes to."""
    found = []
    for name, questions in sets:
        for question, inquiry in questions:
            asking = replace(inquiry, model=model)
            weighed = weigh(asking, SearchOptions(strategy="flat"))  # a model of no limits weighs all pages anyhow
            found.append(Asked(name, question.document, question.evidence, asking, weighed))
    return found


def fit_answered(model: str, asked: Sequence[Asked]) -> tuple[dict[str, float], np.ndarray]:
    """The weights that say whether the document answers, and what they say of each question without its document.

    Prints what they are worth on documents left out.
    """
    groups = [one.document for one in asked]
    labels = np.array([bool(one.evidence) for one in asked])
    found = np.array([answer_features(one.inquiry, one.weighed.chosen, one.weighed.checks) for one in asked])
    weighed = found[:, 1:]
    ridge = min(RIDGES, key=lambda r: left_out_loss(left_out(weighed, labels, groups, ridge=r, **HELD), labels))
    held = left_out(weighed, labels, groups, ridge=ridge, **HELD)
    for name in dict.fromkeys(one.set for one in asked):
        these = np.array([one.set == name for one in asked])
        print_answered(f"{model} {name}", held[these], labels[these], found[these, 1])
    bias, weights = fitted_logistic(weighed, labels, ridge=ridge, **HELD)
    print(f"ridge {ridge}")
    return dict(zip(ANSWER_FEATURES, [round(bias, 4), *weights.round(4).tolist()], strict=True)), held


def fit_pages(model: str, asked: Sequence[Asked], answered: np.ndarray) -> dict[str, float]:
    """The weights that say whether a page answers, with what is known of its document; prints what they are worth."""
    found = [
        page_features(one.weighed.chosen, one.weighed.checks, verdict)
        for one, verdict in zip(asked, answered.tolist(), strict=True)
    ]
    features = np.concatenate(found)[:, 1:]
    right = np.array([page in one.evidence for one in asked for page in one.weighed.checks])
    groups = [one.document for one in asked for _ in one.weighed.checks]
    sets = np.array([one.set for one in asked for _ in one.weighed.checks])
    held = left_out(features, right, groups, signs=FOR_A_PAGE)
    alone = sigmoid(features[:, 0])
    for name in dict.fromkeys(sets.tolist()):
        of_set = sets == name
        shown, before = of_set & (held >= 0.5), of_set & (alone >= 0.5)
        print(
            f"pages {model} {name}: {of_set.sum()} ({right[of_set].mean():.3f} right)"
            f"  ECE {calibration_error(held[of_set], right[of_set]):.3f}"
            f" (check alone {calibration_error(alone[of_set], right[of_set]):.3f})"
            f"  from 0.5: {shown.sum()} said {held[shown].mean():.3f}, {right[shown].mean():.3f} right"
            f" (check alone {before.sum()} said {alone[before].mean():.3f}, {right[before].mean():.3f} right)",
            flush=True,
        )
    bias, weights = fitted_logistic(features, right, signs=FOR_A_PAGE)
    return dict(zip(PAGE_FEATURES, [round(bias, 4), *weights.round(4).tolist()], strict=True))


def print_answered(name: str, held: np.ndarray, right: np.ndarray, best: np.ndarray) -> None:
    """One line of figures."""
    area, of_best = (area_under_roc(values[right], values[~right]) for values in (held, best))
    print(
        f"answered {name}: {len(right)} ({right.mean():.3f} answerable)  AUROC {area:.3f} (best check {of_best:.3f})"
        f"  ECE {calibration_error(held, right):.3f}  coverage at 95 % {coverage_at(0.95, held, right):.3f}"
        f"  right at 0.5 {np.mean((held >= 0.5) == right):.3f}",
        flush=True,
    )


def main() -> None:
    """Fit, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of reader.onnx and vocab.txt")
    parser.add_argument("--scores", type=Path, help="file (.npz) to keep the scores of windows in")
    parser.add_argument("--step", type=int, default=1, help="use every n-th question only, for a quick look")
    args = parser.parse_args()
    network = KeptNetwork(args.weights / "reader.onnx", args.scores)
    reader = Reader(network, WordPiece.from_file(args.weights / "vocab.txt"))
    held_out = frozenset(json.loads(SPLIT.read_text(encoding="utf-8"))["development"])
    library = Library.from_cache()
    cases, read = Cases(), ReadTexts(reader)
    sets = []
    for pdfs, questions in calibration_questions(args.data, held_out):
        asked = []
        for question, inquiry in inquiries(questions[:: args.step], pdfs, library):
            add_question(cases, question, inquiry, read)
            asked.append((question, inquiry))
        sets.append((pdfs.parent.name, asked))
        network.keep()
    add_lines(cases, args.data, read)
    network.keep()
    calibration = Calibration(fit_menus(cases.menus), fit_checks(cases.checks), network.sha256)
    write(args.weights / "calibration.json", calibration.to_json())
    models = [LexicalModel(), EmbeddedModel(reader, calibration)]
    sections = fit_sections(cases.menus["section"], calibration)
    weights: dict[str, dict[str, dict[str, float]]] = {}
    for model in models:
        of_model = asked_of(model, sets)
        answered, held = fit_answered(model.name, of_model)
        weights[model.name] = {"answered": answered, "pages": fit_pages(model.name, of_model, held)}
    weights[EmbeddedModel(reader, calibration).name]["sections"] = sections
    write(FITTED, weights)
    network.keep()


def write(path: Path, values: object) -> None:
    """As JSON that reads well in a diff."""
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
