"""The questions that came out wrong, so that a person can look into each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from thumbindex.evaluation.results import QuestionResult
from thumbindex.report.charts import page_strip
from thumbindex.report.markup import Markup, tag

__all__ = ["misses_section"]

_PAGES_SHOWN = 10
_GROUPS: tuple[tuple[str, str, Callable[[QuestionResult], bool]], ...] = (
    (
        "Not found",
        "No right page among the pages ranked.",
        lambda r: r.question.answerable and r.searched and r.rank is None,
    ),
    (
        "Answered, though nothing answers",
        "The document has no answer, and a page was said to give one.",
        lambda r: not r.question.answerable and r.answered,
    ),
    (
        "Found, but not first",
        "A right page is in the ranking, behind others.",
        lambda r: r.rank is not None and r.rank > 1,
    ),
    (
        "Not searched",
        "The document could not be read, or has no text. Where it has an answer, this counts as a miss.",
        lambda r: not r.searched,
    ),
)


def misses_section(results: Sequence[QuestionResult]) -> Markup:
    """The misses by kind, each with its question, the right pages, the pages found, and where these lie."""
    groups = [_group(title, lead, [r for r in results if belongs(r)]) for title, lead, belongs in _GROUPS]
    legend = tag(
        "ul",
        tag("li", tag("i", class_="key-found"), "found, the first strongest"),
        tag("li", tag("i", class_="key-right"), "right"),
        class_="legend",
    )
    lead = "The strip under each question is the document from its first page to its last."
    return tag("section", tag("h2", "Misses"), tag("p", lead, class_="lead"), legend, *groups)


def _group(title: str, lead: str, misses: Sequence[QuestionResult]) -> Markup:
    head = tag("summary", f"{title} ", tag("span", f"{len(misses):,}", class_="count"))
    if not misses:
        return tag("details", head, tag("p", "None.", class_="lead"), class_="misses")
    return tag("details", head, tag("p", lead, class_="lead"), *map(_miss, misses), class_="misses", open="open")


def _miss(result: QuestionResult) -> Markup:
    asked = result.question
    right, found = sorted(asked.pages), result.ranking[:_PAGES_SHOWN]
    said = "answered" if result.answered else "no page clearly answers"
    facts = [
        tag("span", "right ", tag("b", _numbers(right) or "none", class_="right-pages")),
        *([tag("span", "also ", tag("b", _numbers(sorted(asked.also)), class_="right-pages"))] if asked.also else []),
        tag("span", "shown ", tag("b", _numbers(result.kept) or "none", class_="found-pages")),
        tag("span", "then ", tag("b", _numbers(p for p in found if p not in result.kept) or "none")),
        tag("span", f"{said}, {result.answer_probability:.2f}"),
        *([tag("span", f"right page is {result.rank}.")] if result.rank else []),
    ]
    strip = [page_strip(result.page_count, sorted(asked.evidence), found)] if result.page_count else []
    return tag(
        "article",
        tag("h3", asked.question),
        tag("p", f"{asked.document}, {result.page_count:,} pages · {asked.id}", class_="source"),
        *strip,
        tag("p", *facts, class_="outcome"),
        *([tag("p", result.note, class_="note")] if result.note else []),
    )


def _numbers(pages: Iterable[int]) -> str:
    return ", ".join(map(str, pages))
