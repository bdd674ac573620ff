"""Does the document answer at all? What the best pages, the choice among them and the question's words say together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from thumbindex.search.fitted import fitted
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.log_odds import LEAST_PROBABILITY, log_odds
from thumbindex.terms import content_terms, is_asking_term, specific_terms

__all__ = ["ANSWER_FEATURES", "answer_features", "answer_probability"]

ANSWER_FEATURES = (
    "bias",
    "best",
    "second",
    "third",
    "chosen",
    "margin",
    "missing",
    "missing_names",
    "missing_figures",
    "page_missing",
    "page_missing_specific",
    "terms",
)
"""What is weighed, in this order; `answer_features` says what each is."""

Floats = NDArray[np.float64]


def answer_probability(features: Floats, model: str) -> float | None:
    """The probability that the document answers; None for a model that was not measured for this.

    Args:
        features: Those of `ANSWER_FEATURES`, shape `(features,)`.
        model: Name and version of what chose and checked.
    """
    weights = fitted(model, "answered")
    if weights is None:
        return None
    weighed = features @ np.array([weights[feature] for feature in ANSWER_FEATURES])
    return float(1 / (1 + np.exp(-weighed)))


def answer_features(inquiry: Inquiry, chosen: Mapping[int, float], checks: Mapping[int, float]) -> Floats:
    """What speaks for and against an answer, shape `(len(ANSWER_FEATURES),)`.

    The log-odds of the three best checks; the logarithms of the greatest probability in the choice and of how often it
    is the second; the shares of the question's terms that occur nowhere in the document: of all, of its names, of its
    figures; the same for the best page, of all and of names and figures; and the logarithm of how many terms there are.

    Args:
        inquiry: The question and the document.
        chosen: By page, the probability in the choice among them.
        checks: By page, that it answers.
    """
    best = sorted(map(log_odds, checks.values()), reverse=True) + [log_odds(0.0)] * 2
    first, second, *_ = [*sorted(chosen.values(), reverse=True), 0.0]
    asked = [term for term in dict.fromkeys(content_terms(inquiry.question)) if not is_asking_term(term)]
    names, figures = specific_terms(inquiry.question)
    page = max(checks, key=checks.__getitem__)
    held = {term: inquiry.terms.passages.holding(term) for term in {*asked, *names, *figures}}
    nowhere = {term for term, holding in held.items() if not holding.any()}
    not_there = {term for term, holding in held.items() if not holding[page - 1]}
    return np.array(
        [
            1.0,
            *islice(best, 3),
            np.log(max(first, LEAST_PROBABILITY)),
            np.log(max(first, LEAST_PROBABILITY) / max(second, LEAST_PROBABILITY)),
            _share(asked, nowhere),
            _share(names, nowhere),
            _share(figures, nowhere),
            _share(asked, not_there),
            _share([*names, *figures], not_there),
            np.log1p(len(asked)),
        ]
    )


def _share(terms: Sequence[str], among: Iterable[str]) -> float:
    return len(set(terms) & set(among)) / max(1, len(set(terms)))
