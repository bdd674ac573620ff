"""How to search: one validated value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from thumbindex.errors import OptionError

__all__ = ["SearchOptions", "Strategy"]

Strategy = Literal["hybrid", "tree", "flat"]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    Attributes:
        strategy: "tree" descends the sections, "flat" weighs all pages at once, "hybrid" joins both.
        beam: Paths down the tree that are followed at once.
        section_pages: A section of at most so many pages is not opened further, its pages are looked at instead;
            less in a document so short that the ends of the paths would hold more than a quarter of it.
        top_k: Pages shown at most.
        flat_candidates: Pages that "hybrid" adds to those of the sections, the best by lexical score.
        max_verified: Pages checked one by one at most.
        keep_threshold: A page is kept from this probability on.
        answer_threshold: The document is said to answer when a page is kept so, or when all evidence together gives it
            this probability. At 0.75 `embedded` says so of 89 % of the questions that have an answer, and of 47 % of
            those that have none, mostly near misses (written set, documents kept apart); at 0.5 of 99 % and 87 %.
        query_aware: Whether the description of a section also holds its lines that bear most on the question.
        ranked_pages: Pages in the ranking at least, where the document has them.

    Raises:
        OptionError: A value outside its range.
    """

    strategy: Strategy = "hybrid"
    beam: int = 3
    section_pages: int = 16
    top_k: int = 5
    flat_candidates: int = 16
    max_verified: int = 16
    keep_threshold: float = 0.5
    answer_threshold: float = 0.75
    query_aware: bool = True
    ranked_pages: int = 10

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            raise OptionError(f"strategy is {self.strategy!r}: use one of {', '.join(get_args(Strategy))}")
        for name in ("beam", "section_pages", "top_k", "flat_candidates", "max_verified", "ranked_pages"):
            value = getattr(self, name)
            if value < 1:
                raise OptionError(f"{name} is {value}: use 1 or more")
        for name in ("keep_threshold", "answer_threshold"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise OptionError(f"{name} is {value}: use a probability, 0 to 1")
