"""Two runs of the same questions: what differs, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from thumbindex.errors import OptionError, ResultFileError
from thumbindex.evaluation.estimators import Array, Estimator, resampled, value
from thumbindex.evaluation.metrics import measures
from thumbindex.evaluation.results import Result

__all__ = ["Change", "Comparison", "Difference", "compare"]

_LEVEL = 0.95
# Where less is better; of pages kept and pages in sections neither more nor less is.
_LESS_IS_BETTER = frozenset(
    ("ece", "brier", "kept_ece", "answered_ece", "answered_brier", "seconds_per_question", "tokens_per_question")
)
_NEITHER = frozenset(("kept_pages", "section_share"))


@dataclass(frozen=True)
class Difference:
    """A measure of both runs.

    Attributes:
        measure: Its name, as in `thumbindex eval --json`.
        a: Of the first run.
        b: Of the second.
        difference: `b - a`.
        low: Where the 95 % interval of the difference begins.
        high: Where it ends.
        verdict: "better" or "worse" where the whole interval lies on one side of 0, else empty.
    """

    measure: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    verdict: str


@dataclass(frozen=True)
class Change:
    """A question that one run got right and the other did not; the first right page's rank, None where not found."""

    id: str
    document: str
    question: str
    answerable: bool
    rank_a: int | None
    rank_b: int | None


@dataclass(frozen=True)
class Comparison:
    """What the second run did otherwise.

    Attributes:
        questions: How many were compared: those in both runs.
        only_a: How many were in the first run only.
        only_b: How many were in the second only.
        changed: How many had the same id, and other text, document, or pages: not compared.
        differences: By measure, those that both runs have.
        won: Questions that the second run got right and the first did not.
        lost: The other way round.
    """

    questions: int
    only_a: int
    only_b: int
    changed: int
    differences: tuple[Difference, ...]
    won: tuple[Change, ...]
    lost: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return asdict(self)


def compare(
    a: Sequence[Result], b: Sequence[Result], *, k: int = 1, resamples: int = 10_000, seed: int = 0
) -> Comparison:
    """What differs between two runs on the questions that both were asked.

    A question is right when an evidence page is among the first `k`, or when it has none and was not answered. The
    intervals are percentiles of a paired bootstrap (Efron and Tibshirani, 1993, ch. 13): each resample draws questions
    with replacement, the same for both runs. They cover chance in which questions were asked, not in how they were
    labelled, and take questions about one document for independent.

    Raises:
        ResultFileError: No question is in both runs, or one run is over given documents and the other over a library.
        OptionError: `k` or `resamples` below 1.
    """
    if k < 1 or resamples < 1:
        raise OptionError(f"k is {k} and resamples {resamples}: use 1 or more")
    if len({type(result) for result in (*a, *b)}) > 1:
        raise ResultFileError(
            "one file is of questions about given documents, the other of questions to a library: compare two of a kind"
        )
    of_a, of_b = ({result.question.id: result for result in results} for results in (a, b))
    shared = [key for key in of_a if key in of_b]
    common = [key for key in shared if of_a[key].question == of_b[key].question]
    if not common:
        raise ResultFileError("the two files have no question in common: compare runs of the same question set")
    pairs = [(of_a[key], of_b[key]) for key in common]
    return Comparison(
        questions=len(common),
        only_a=len(of_a) - len(shared),
        only_b=len(of_b) - len(shared),
        changed=len(shared) - len(common),
        differences=_differences([x for x, _ in pairs], [y for _, y in pairs], resamples, seed),
        won=tuple(_change(x, y) for x, y in pairs if y.right(k) and not x.right(k)),
        lost=tuple(_change(x, y) for x, y in pairs if x.right(k) and not y.right(k)),
    )


def _change(a: Result, b: Result) -> Change:
    asked = a.question
    return Change(asked.id, asked.document, asked.question, asked.answerable, a.rank, b.rank)


def _differences(a: Sequence[Result], b: Sequence[Result], resamples: int, seed: int) -> tuple[Difference, ...]:
    of_a, of_b = measures(a), measures(b)
    points = {name: (value(of_a[name], len(a)), value(of_b[name], len(b))) for name in of_a if name in of_b}
    defined = {name: (x, y) for name, (x, y) in points.items() if x is not None and y is not None}
    samples = _samples(of_a, of_b, list(defined), resampled(len(a), resamples, seed))
    return tuple(_difference(name, x, y, samples[name]) for name, (x, y) in defined.items())


def _samples(
    a: Mapping[str, Estimator], b: Mapping[str, Estimator], names: Sequence[str], chunks: Iterable[Array]
) -> dict[str, Array]:
    found: dict[str, list[Array]] = {name: [] for name in names}
    for weights in chunks:
        for name in names:
            found[name].append(b[name](weights) - a[name](weights))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _difference(measure: str, a: float, b: float, samples: Array) -> Difference:
    # A resample may draw no question that the measure is about.
    drawn = samples[~np.isnan(samples)]
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail]).tolist() if len(drawn) else (b - a, b - a)
    return Difference(measure, a, b, b - a, low, high, _verdict(measure, low, high))


def _verdict(measure: str, low: float, high: float) -> str:
    if low <= 0 <= high or measure in _NEITHER:
        return ""
    return "better" if (low > 0) != (measure in _LESS_IS_BETTER) else "worse"
