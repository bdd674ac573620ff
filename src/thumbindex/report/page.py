"""The page: what was run, what came of it, and every miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from thumbindex.evaluation.calibration import answer_claims, coverage, page_claims, reliability
from thumbindex.evaluation.metrics import KS, Figures
from thumbindex.evaluation.results import QuestionResult, Run
from thumbindex.report.charts import coverage_chart, hits_chart, percent, ranks_bar, reliability_chart
from thumbindex.report.markup import Markup, joined, tag
from thumbindex.report.misses import misses_section

__all__ = ["report_page"]

_PRECISION = 0.95
_FINDING = (*(f"hit@{k}" for k in KS), "mrr", "all@10", "kept_hit", "kept_pages", "section_recall", "section_share")
_PROBABILITIES = (
    *("ece", "brier", "kept_ece", "no_answer_auroc", "no_answer_accuracy", "answered_ece", "answered_brier"),
    *("answered_coverage_at_95", "kept_coverage_at_95", "seconds_per_question", "tokens_per_question"),
)
_RANKS = (("first", 1, 1), ("2nd or 3rd", 2, 3), ("4th or 5th", 4, 5), ("6th to 10th", 6, 10))
_NOT_FOUND = "not among the first ten"


def report_page(name: str, run: Run, results: Sequence[QuestionResult], rows: Mapping[str, Figures]) -> str:
    """The page as HTML.

    Args:
        name: Of the question set.
        run: How it was asked.
        results: Of every question.
        rows: Figures of each document, of the floor as "bm25", and of "all".
    """
    style = Markup((files("thumbindex.report") / "report.css").read_text(encoding="utf-8"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{name} · thumbindex evaluation"),
        tag("style", style),
    )
    body = tag(
        "body",
        _header(name, run, results),
        tag(
            "main",
            _cards(rows["all"], rows["bm25"]),
            _finding(rows["all"], rows["bm25"], results),
            _trust(rows["all"], results),
            _tables(rows),
            misses_section(results),
        ),
        tag("footer", f"Written by thumbindex {run.thumbindex} on {run.date}. Pages are PDF pages, counted from 1."),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(name: str, run: Run, results: Sequence[QuestionResult]) -> Markup:
    documents = len({result.question.document for result in results})
    unanswerable = sum(not result.question.answerable for result in results)
    unsearched = sum(not result.searched for result in results)
    facts = {
        "Model": run.model,
        "Questions": f"{len(results):,}, {unanswerable:,} of them without an answer",
        "Documents": f"{documents:,}",
        **({"Not searched": f"{unsearched:,} questions"} if unsearched else {}),
        "Date": run.date,
        "thumbindex": run.thumbindex,
    }
    settings = {key.replace("_", " "): str(value) for key, value in run.options.items()}
    return tag(
        "header",
        tag("p", "thumbindex evaluation", class_="kicker"),
        tag("h1", name),
        _facts(facts, "facts"),
        tag("details", tag("summary", "Settings of the search"), _facts(settings, "facts settings")),
    )


def _facts(facts: Mapping[str, str], kind: str) -> Markup:
    pairs = [tag("div", tag("dt", key), tag("dd", text)) for key, text in facts.items()]
    return tag("dl", *pairs, class_=kind)


def _cards(figures: Figures, floor: Figures) -> Markup:
    cards = [
        _card("right page first", _percent(figures["hit@1"]), f"plain BM25: {_percent(floor['hit@1'])}"),
        _card("among the first five", _percent(figures["hit@5"]), f"plain BM25: {_percent(floor['hit@5'])}"),
        _card("off, page probabilities", _decimal(figures["ece"]), "ECE: 0 is best"),
        _card("tells “no page answers”", _decimal(figures["no_answer_auroc"]), "AUROC: 1 is best, .5 a guess"),
        _card("claimed at 95 % precision", _percent(figures["answered_coverage_at_95"]), "of all questions"),
    ]
    return tag("section", *cards, class_="cards")


def _card(label: str, figure: str, note: str) -> Markup:
    return tag("div", tag("strong", figure), tag("span", label), tag("small", note), class_="card")


def _finding(figures: Figures, floor: Figures, results: Sequence[QuestionResult]) -> Markup:
    answerable = [result for result in results if result.question.answerable]
    if not answerable:
        return Markup("")
    hits, low = ([row[f"hit@{k}"] or 0.0 for k in KS] for row in (figures, floor))
    legend = tag(
        "ul",
        tag("li", tag("i", class_="part-0"), "this run"),
        tag("li", tag("i", class_="key-floor"), "plain BM25 over whole pages, the floor"),
        class_="legend",
    )
    return _section(
        "Where the right page landed",
        f"Of {len(answerable):,} questions with an answer: the rank of the first page that is labelled as answering.",
        tag(
            "div",
            _figure(hits_chart(hits, low, KS), legend),
            tag("div", ranks_bar(_ranks(answerable)), _verdicts(results), class_="beside"),
            class_="pair",
        ),
    )


def _ranks(answerable: Sequence[QuestionResult]) -> dict[str, int]:
    ranks = [result.rank for result in answerable]
    counts = {name: sum(r is not None and low <= r <= high for r in ranks) for name, low, high in _RANKS}
    return counts | {_NOT_FOUND: len(ranks) - sum(counts.values())}


def _verdicts(results: Sequence[QuestionResult]) -> Markup:
    """How often it was said that a page answers, by whether the document does."""
    kinds = {
        kind: [result.answered for result in results if result.question.answerable == answerable]
        for kind, answerable in (("has an answer", True), ("has none", False))
    }
    head = tag("tr", *(tag("th", name) for name in ("the document …", "“answered”", "“no page clearly answers”")))
    lines = [
        tag("tr", tag("th", kind), tag("td", f"{sum(said):,}"), tag("td", f"{len(said) - sum(said):,}"))
        for kind, said in kinds.items()
        if said
    ]
    return tag("table", tag("thead", head), tag("tbody", *lines), class_="verdicts")


def _trust(figures: Figures, results: Sequence[QuestionResult]) -> Markup:
    return _section(
        "Do the probabilities mean what they say?",
        "Each point is a fifteenth of the claims, from the least sure to the surest. On the dashed line, what was said "
        "with 70 % is so 7 times in 10; below it the model was too sure, above it too careful.",
        tag("div", _pages_diagram(figures, results), _answers_diagram(figures, results), class_="pair"),
        _curve(figures, results),
    )


def _pages_diagram(figures: Figures, results: Sequence[QuestionResult]) -> Markup:
    bins = reliability(page_claims(results))
    said = f"ECE {_decimal(figures['ece'])}, Brier {_decimal(figures['brier'])} over {bins.claims:,} pages checked; "
    shown = f"ECE of the pages shown {_decimal(figures['kept_ece'])}."
    return _figure(reliability_chart(bins, "this page answers"), tag("b", "“This page answers” "), said + shown)


def _answers_diagram(figures: Figures, results: Sequence[QuestionResult]) -> Markup:
    if figures["answered_ece"] is None:
        missing = "needs questions of both kinds, with an answer and without: not measured on this set."
        return _figure(tag("div", "–", class_="empty"), tag("b", "“Answered” "), missing)
    bins = reliability(answer_claims(results))
    said = f"ECE {_decimal(figures['answered_ece'])}, Brier {_decimal(figures['answered_brier'])} "
    return _figure(
        reliability_chart(bins, "the document answers"),
        tag("b", "“Answered” "),
        f"{said}over {bins.claims:,} questions; AUROC for “no page answers” {_decimal(figures['no_answer_auroc'])}.",
    )


def _curve(figures: Figures, results: Sequence[QuestionResult]) -> Markup:
    sureness = [result.answer_probability for result in results]
    shown = "a right page is shown", "kept_coverage_at_95", [result.shows_evidence for result in results]
    answerable = "the document answers", "answered_coverage_at_95", [result.question.answerable for result in results]
    claims = [shown] if figures["answered_coverage_at_95"] is None else [answerable, shown]
    chart = coverage_chart({name: coverage(sureness, right) for name, _, right in claims}, _PRECISION)
    legend = [
        tag("li", tag("i", class_=f"key-{n}"), f"{name}: {_percent(figures[key])} of the questions at 95 % precision")
        for n, (name, key, _) in enumerate(claims, 1)
    ]
    caption = tag("b", "Claiming only what it is sure of ")
    return _figure(chart, caption, tag("ul", *legend, class_="legend"), kind="wide")


def _tables(rows: Mapping[str, Figures]) -> Markup:
    summary = {name: rows[name] for name in ("all", "bm25")}
    documents = {name: row for name, row in rows.items() if name not in summary}
    tables = [_table(summary, _FINDING), _table({"all": rows["all"]}, _PROBABILITIES)]
    if documents:
        opened = tag("summary", f"By document ({len(documents):,})")
        tables.append(tag("details", opened, _table(documents, ("questions", *_FINDING)), class_="by-document"))
    return _section("Figures", "“–”: does not apply to this set.", *tables)


def _table(rows: Mapping[str, Figures], columns: Sequence[str]) -> Markup:
    head = tag("tr", tag("th"), *(tag("th", column.replace("_", " ")) for column in columns))
    lines = [
        tag("tr", tag("th", name), *(tag("td", _number(row.get(column))) for column in columns))
        for name, row in rows.items()
    ]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *lines)), class_="scroll")


def _section(title: str, lead: str, *children: Markup) -> Markup:
    return tag("section", tag("h2", title), tag("p", lead, class_="lead"), *children)


def _figure(drawing: Markup, *caption: str, kind: str = "") -> Markup:
    return tag("figure", drawing, tag("figcaption", joined(*caption)), class_=kind)


def _percent(figure: float | None) -> str:
    return "–" if figure is None else percent(figure)


def _decimal(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"


def _number(figure: float | int | None) -> str:
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if isinstance(figure, int) or figure >= 100 else f"{figure:.3f}"
