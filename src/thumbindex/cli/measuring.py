"""Commands that measure: eval."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer

from thumbindex.cli.arguments import DEFAULTS, Beam, Json, Model, NoCache, Strategy, StrategyOption
from thumbindex.cli.opening import library
from thumbindex.cli.terminal import bar, err, out, print_json, write_text
from thumbindex.decision.registry import load_model
from thumbindex.evaluation.metrics import QuestionResult, figures, ranking_figures
from thumbindex.evaluation.questions import load_questions
from thumbindex.evaluation.runs import evaluate, result_to_json
from thumbindex.render import render_figures
from thumbindex.search import SearchOptions

__all__ = ["eval_command"]


def eval_command(
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Lines of {id, doc, question, pages}.")],
    documents: Annotated[Path, typer.Option(metavar="DIR", help="The folder with the PDFs.")],
    strategy: StrategyOption = Strategy.HYBRID,
    beam: Beam = DEFAULTS.beam,
    model: Model = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N questions only.")] = None,
    static: Annotated[
        bool, typer.Option("--static", help="Describe sections by title and summary only, the same for all questions.")
    ] = False,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write one JSON line a question, with its ranking.")
    ] = None,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Measure the search on a question set whose evidence pages are known.

    The row "bm25" is the floor: plain stemmed BM25 over whole pages, in the same run.
    """
    options = SearchOptions(strategy=strategy.value, beam=beam, query_aware=not static)
    deciding = load_model(model)
    asked = load_questions(questions)[:limit]
    results: list[QuestionResult] = []
    with bar() as progress:
        task = progress.add_task("Asking", total=len(asked))
        for result in evaluate(asked, documents, library(no_cache), deciding, options):
            results.append(result)
            progress.advance(task)
    if out_file:
        lines = (json.dumps(result_to_json(result), ensure_ascii=False) for result in results)
        write_text(out_file, "".join(f"{line}\n" for line in lines))
    if as_json:
        print_json(figures(results) | {"bm25": _floor(results)})
    else:
        out.print(render_figures(_rows(results)))
    for note in sorted({f"{r.question.document}: {r.note}" for r in results if r.note}):
        err.print(f"note: {note}", style="yellow")


def _rows(results: list[QuestionResult]) -> dict[str, dict[str, float | int | None]]:
    by_document: dict[str, list[QuestionResult]] = defaultdict(list)
    for result in results:
        by_document[result.question.document].append(result)
    rows = {name: figures(group) for name, group in sorted(by_document.items())} if len(by_document) > 1 else {}
    return rows | {"bm25": _floor(results), "all": figures(results)}


def _floor(results: list[QuestionResult]) -> dict[str, float | int | None]:
    answerable = [r for r in results if r.question.answerable]
    return ranking_figures(answerable, [r.lexical_ranking for r in answerable])
