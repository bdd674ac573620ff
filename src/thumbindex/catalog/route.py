"""Joining the ways of choosing documents into one ranking that says which way led to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from thumbindex.catalog.choosing import Choosing, Chosen
from thumbindex.catalog.listing import Entry

__all__ = ["RankedDocument", "join", "only_way"]

# What a way says of a document that it did not choose: nearly never, where it rules the others out; else seldom.
_RULED_OUT, _NOT_CHOSEN = 0.001, 0.05
# How much each way weighs, as the power of what it says. Metadata tell documents of the same kind apart, which words
# and vectors do badly; a weak model's pick among sentences is a hint.
_WEIGHTS = {"metadata": 1.0, "semantics": 1.0, "description": 0.35}
# Where a question names no period, the newest document of a kind is meant rather than an older one; a year older is so
# much less likely.
_A_YEAR_OLDER = 0.75
_OLDEST_YEARS = 12
# A question is about some page, so that a document of more pages is likelier to be meant; far less than in proportion.
_PAGES_POWER = 0.2


@dataclass(frozen=True)
class RankedDocument:
    """A document in the joined ranking.

    Attributes:
        document_id: Which.
        probability: Its share of what speaks for all candidates.
        ways: What each way that chose it said, by way: rank from 1, score, reason.
    """

    document_id: str
    probability: float
    ways: Mapping[str, tuple[int, Chosen]]


def only_way(choosing: Choosing) -> list[RankedDocument]:
    """The ranking of a single way; its scores become shares."""
    total = sum(max(chosen.score, 0.0) for chosen in choosing.documents) or 1.0
    return [
        RankedDocument(chosen.document_id, max(chosen.score, 0.0) / total, {choosing.way: (rank, chosen)})
        for rank, chosen in enumerate(choosing.documents, 1)
    ]


def join(choosings: Sequence[Choosing], entries: Mapping[str, Entry], *, dated: bool) -> list[RankedDocument]:
    """The documents that any way chose, best first: what the ways say of each multiplies, weighted.

    Args:
        choosings: What each way came to.
        entries: The documents that any of them chose.
        dated: Whether the question names a period; where it does not, newer documents are preferred.
    """
    ways = [choosing for choosing in choosings if choosing.applies and choosing.documents]
    said = {choosing.way: _said(choosing) for choosing in ways}
    newest = max((year for entry in entries.values() if isinstance(year := entry.value("fiscal_year"), int)), default=0)
    scores: dict[str, float] = {}
    for document, entry in entries.items():
        score = _PAGES_POWER * log(max(1, entry.pages))
        score += 0.0 if dated else log(_A_YEAR_OLDER) * _age(entry, newest)
        for choosing in ways:
            missing = _RULED_OUT if choosing.only else _NOT_CHOSEN
            score += _WEIGHTS[choosing.way] * log(max(missing, said[choosing.way].get(document, 0.0)))
        scores[document] = score
    best = max(scores.values(), default=0.0)
    weights = {document: exp(score - best) for document, score in scores.items()}
    total = sum(weights.values()) or 1.0
    ranks = {c.way: {chosen.document_id: (rank, chosen) for rank, chosen in enumerate(c.documents, 1)} for c in ways}
    return [
        RankedDocument(
            document,
            weights[document] / total,
            {way: found[document] for way, found in ranks.items() if document in found},
        )
        for document in sorted(weights, key=lambda document: (-weights[document], document))
    ]


def _said(choosing: Choosing) -> dict[str, float]:
    """What a way says of each document, as a share of what it says of its best."""
    best = max(chosen.score for chosen in choosing.documents)
    if best <= 0:
        return {}
    return {chosen.document_id: chosen.score / best for chosen in choosing.documents}


def _age(entry: Entry, newest: int) -> int:
    year = entry.value("fiscal_year")
    return min(_OLDEST_YEARS, newest - year) if isinstance(year, int) else _OLDEST_YEARS // 2
