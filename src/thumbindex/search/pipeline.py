"""From a question to a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import log
from types import MappingProxyType

from thumbindex.decision.base import DecisionModel
from thumbindex.document import Document
from thumbindex.errors import NoTextError, QuestionError
from thumbindex.search.answered import answer_features, answer_probability
from thumbindex.search.beam import Descent, descend
from thumbindex.search.describe import Describer, Telling
from thumbindex.search.document_terms import DocumentTerms
from thumbindex.search.finding import CheckedPage, Finding, FoundLine, FoundPage, RankedPage, Step
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.lines import answering_lines
from thumbindex.search.options import SearchOptions
from thumbindex.search.page_probability import page_probabilities
from thumbindex.search.spending import Spending
from thumbindex.search.verify import check_pages
from thumbindex.search.windows import choose_page
from thumbindex.sections import path_at
from thumbindex.tree import Tree

__all__ = ["Weighed", "find", "section_pages", "weigh"]

_MOST_CHARACTERS = 10_000
_KEPT_WITHOUT_ANSWER = 2
_LEAST_PROBABILITY = 1e-12
# What it adds to the log-odds of a page that a section led to it; set by hand, not fitted.
_SECTION_LOG_ODDS = 0.6


def find(  # noqa: PLR0913
    question: str,
    document: Document,
    tree: Tree,
    model: DecisionModel,
    options: SearchOptions | None = None,
    *,
    terms: DocumentTerms | None = None,
    spending: Spending | None = None,
) -> Finding:
    """The pages and lines of a document that answer a question, and whether any does.

    Args:
        question: In plain words.
        document: What was read.
        tree: Its sections.
        model: What decides.
        options: How to search.
        terms: The document's words, where they were counted before.
        spending: Of a search that this is a part of; where its budget is spent, the words alone decide.

    Raises:
        QuestionError: The question is empty or far too long.
        NoTextError: No page has text.
        DecisionError: The model failed. A budget that is spent is no failure: the finding holds what was found by then.
    """
    options = options or SearchOptions()
    asked = _checked(question)
    inquiry = Inquiry(asked, document, tree, terms or DocumentTerms.from_document(document, tree), model)
    if not inquiry.readable_pages:
        raise NoTextError(f"{document.name} has no text on any page, only pictures: run OCR over it first")
    spending = spending or Spending()
    weighed = weigh(inquiry, options, spending)
    probability = _answer_probability(inquiry, weighed)
    answering = page_probabilities(weighed.chosen, weighed.checks, probability, model.name)
    passed = [page for page in weighed.ranked if answering.get(page, 0.0) >= options.keep_threshold]
    kept = (passed or weighed.ranked[:_KEPT_WITHOUT_ANSWER])[: options.top_k]
    lines, line_step = spending.do(lambda: answering_lines(inquiry, kept)) or ([], Step("Lines"))
    shown = {page: answering.get(page, weighed.chosen.get(page, 0.0)) for page in kept}
    found = [_found_page(inquiry, page, shown[page], line) for page, line in zip_longest(kept, lines)]
    return Finding(
        question=question,
        document_id=document.id,
        document_name=document.name,
        document_pages=len(document.pages),
        answered=bool(passed) or probability >= options.answer_threshold,
        answer_probability=probability,
        pages=tuple(found),
        sections=tuple(end.found() for end in weighed.descent.ends if end.nodes) if weighed.descent else (),
        ranking=_ranking(kept, weighed, options.ranked_pages),
        trace=(*weighed.steps, line_step),
        checked=tuple(CheckedPage(page, probability) for page, probability in answering.items()),
        stopped=spending.stopped,
    )


@dataclass(frozen=True)
class Weighed:
    """What a search knows before it says which pages answer.

    Attributes:
        descent: The way down the tree; None for flat search.
        chosen: By candidate page, its probability in the choice among them.
        ranked: The candidates, best first.
        rest: Every page with text, the most telling first.
        checks: By page, for the best of them, the probability that it answers; not all where the budget ended.
        steps: How that came about.
    """

    descent: Descent | None
    chosen: Mapping[int, float]
    ranked: tuple[int, ...]
    rest: tuple[int, ...]
    checks: Mapping[int, float]
    steps: tuple[Step, ...]


def weigh(inquiry: Inquiry, options: SearchOptions, spending: Spending | None = None) -> Weighed:
    """Descend the tree, choose among the pages, and check the best of them; as far as the budget allows.

    A model that takes any number of pages chooses among all of them first: what it makes of them then says better than
    their words do by which page a section is described, and has a say in which sections are followed.

    Raises:
        DecisionError: The model failed.
    """
    spending = spending or Spending()
    telling = Telling.for_question(inquiry.question, inquiry.terms)
    candidates: Sequence[int] = inquiry.readable_pages
    chosen: Mapping[int, float]
    if inquiry.model.limits.max_tokens is None:
        chosen, step = spending.do(lambda: choose_page(inquiry, candidates)) or ({}, Step("Pages"))
        telling = telling.as_chosen(chosen) if chosen else telling
        descent = _descent(inquiry, telling, options, spending, chosen)
        chosen = _those_under(descent, chosen) if descent and chosen and options.strategy == "tree" else chosen
    else:
        descent = _descent(inquiry, telling, options, spending)
        candidates = _candidates(inquiry, telling, descent, options)
        chosen, step = spending.do(lambda: choose_page(inquiry, candidates)) or ({}, Step("Pages"))
    ranked = _ranked(chosen, inquiry, telling, descent) if chosen else _by_words(candidates, telling, descent)
    checked = spending.do_for_most(lambda pages: check_pages(inquiry, pages), ranked[: options.max_verified])
    checks, check_step = checked or ({}, Step("Does the page answer?"))
    rest = tuple(telling.best_pages(inquiry.readable_pages))
    steps = (*((descent.step,) if descent else ()), step, check_step)
    return Weighed(descent, chosen, tuple(ranked), rest, checks, steps)


def _checked(question: str) -> str:
    asked = " ".join(question.split())
    if not asked:
        raise QuestionError("the question is empty: ask something")
    if len(asked) > _MOST_CHARACTERS:
        found = f"{len(asked):,} characters, more than {_MOST_CHARACTERS:,}"
        raise QuestionError(f"the question has {found}: ask a shorter one")
    return asked


def _descent(
    inquiry: Inquiry,
    telling: Telling,
    options: SearchOptions,
    spending: Spending,
    chosen_pages: Mapping[int, float] = MappingProxyType({}),
) -> Descent | None:
    """The way down the tree, as far as the budget allows; none in flat search."""
    if options.strategy == "flat" or spending.stopped:
        return None
    describer = Describer(inquiry.terms, telling if options.query_aware else None)
    most = section_pages(inquiry.document, options)
    descent = descend(inquiry, describer, options.beam, most, chosen_pages if options.query_aware else {})
    spending.stopped = descent.stopped
    return descent


def section_pages(document: Document, options: SearchOptions) -> int:
    """How many pages a section may have that is not opened further.

    All ends together hold about a quarter of the document at most: less would not be worth a tree.
    """
    share = len(document.pages) // (4 * options.beam)
    return max(1, min(options.section_pages, share))


def _those_under(descent: Descent, chosen: Mapping[int, float]) -> Mapping[int, float]:
    """The share of each page that the descent led to; all of them where none of those has text."""
    under = {page: probability for page, probability in chosen.items() if page in descent.pages}
    total = sum(under.values())
    return {page: probability / total for page, probability in under.items()} if total else chosen


def _candidates(inquiry: Inquiry, telling: Telling, descent: Descent | None, options: SearchOptions) -> Sequence[int]:
    """The pages to choose from, in the order of the document, for a model that does not take all of them at once."""
    readable = inquiry.readable_pages
    if descent is None:
        return list(readable)
    wanted = descent.pages
    if options.strategy == "hybrid":
        wanted |= set(telling.best_pages(readable)[: options.flat_candidates])
    return [page for page in readable if page in wanted] or list(readable)


def _ranked(chosen: Mapping[int, float], inquiry: Inquiry, telling: Telling, descent: Descent | None) -> list[int]:
    """The candidates, best first.

    A choice among all pages has the last word: a pick of pages that all hold the words of the question hides from a
    model which of those words are rare. After a choice among some, three things speak for a page and multiply: that
    choice; its words, weighed in the whole document; and that the way down the tree led to it.
    """
    if inquiry.model.limits.max_tokens is None or len(chosen) == len(inquiry.readable_pages):
        return sorted(chosen, key=chosen.__getitem__, reverse=True)
    words = _log_odds(chosen, telling, descent)
    log_odds = {page: log(max(p, _LEAST_PROBABILITY)) + words[page] for page, p in chosen.items()}
    return sorted(log_odds, key=log_odds.__getitem__, reverse=True)


def _by_words(pages: Sequence[int], telling: Telling, descent: Descent | None) -> list[int]:
    """The candidates, best first, where there was no choice among them."""
    log_odds = _log_odds(pages, telling, descent)
    return sorted(pages, key=log_odds.__getitem__, reverse=True)


def _log_odds(pages: Iterable[int], telling: Telling, descent: Descent | None) -> dict[int, float]:
    led_to = descent.pages if descent else frozenset()
    return {page: float(telling.pages[page - 1]) + (_SECTION_LOG_ODDS if page in led_to else 0.0) for page in pages}


def _answer_probability(inquiry: Inquiry, weighed: Weighed) -> float:
    """That the document answers: as fitted for the model where it was and all is known, else that of the best page."""
    if weighed.checks and weighed.chosen:
        fitted = answer_probability(answer_features(inquiry, weighed.chosen, weighed.checks), inquiry.model.name)
        if fitted is not None:
            return fitted
    return max(weighed.checks.values(), default=0.0)


def _found_page(inquiry: Inquiry, page: int, probability: float, found: tuple[int, FoundLine] | None) -> FoundPage:
    path = tuple(node.title for node in path_at(inquiry.tree, page, found[0] if found else 0))
    lines = (found[1],) if found else ()
    return FoundPage(page, inquiry.document.page(page).label, probability, path, lines)


def _ranking(kept: Sequence[int], weighed: Weighed, least: int) -> tuple[RankedPage, ...]:
    """The kept pages, then the other candidates, then the most telling of the rest, `least` in all if there are."""
    order = list(dict.fromkeys((*kept, *weighed.ranked, *weighed.rest)))[: max(least, len(kept))]
    return tuple(RankedPage(page, weighed.chosen.get(page, 0.0)) for page in order)
