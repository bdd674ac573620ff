"""Commands that measure: eval and compare."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, TextIO, TypeVar

import typer

from thumbindex import __version__
from thumbindex.cli.arguments import DEFAULTS, Beam, Json, Model, NoCache, Strategy, StrategyOption
from thumbindex.cli.deciding import MaxCost, MaxTokens, Record, Replay, deciding_model
from thumbindex.cli.opening import library, opened
from thumbindex.cli.terminal import bar, err, made_folder, out, print_json, spare_pdfs, write_text
from thumbindex.decision.base import DecisionModel
from thumbindex.errors import BudgetSpentError, OptionError, PathError
from thumbindex.evaluation.comparison import compare
from thumbindex.evaluation.library_runs import evaluate_library, settings_of
from thumbindex.evaluation.metrics import Figures, figures, floor_figures
from thumbindex.evaluation.questions import EvaluationQuestion, load_questions
from thumbindex.evaluation.result_files import load_results, result_to_json
from thumbindex.evaluation.results import QuestionResult, Result, Run, Setting
from thumbindex.evaluation.runs import evaluate
from thumbindex.library_search import By, LibrarySearch
from thumbindex.render import render_comparison, render_figures, render_library_figures
from thumbindex.report import report_page
from thumbindex.search import SearchOptions

__all__ = ["compare_command", "eval_command"]

_Result = TypeVar("_Result", bound=Result)


def eval_command(
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Lines of {id, doc, question, pages}.")],
    documents: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder with the PDFs.")] = None,
    in_library: Annotated[
        str | None,
        typer.Option("--library", metavar="PATH|URL", help="Instead: a library to search, no document given."),
    ] = None,
    by: Annotated[By | None, typer.Option(help="With --library: how documents are chosen; by default auto.")] = None,
    strategy: StrategyOption = Strategy.HYBRID,
    beam: Beam = DEFAULTS.beam,
    model: Model = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N questions only.")] = None,
    static: Annotated[
        bool, typer.Option("--static", help="Describe sections by title and summary only, the same for all questions.")
    ] = False,
    out_file: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write one JSON line a question, with its ranking: what `compare` reads."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a web page there: figures, diagrams, and every miss to look into."),
    ] = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    record: Record = None,
    replay: Replay = None,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Measure the search on a question set whose evidence pages are known.

    The row "bm25" is the floor: plain stemmed BM25 over whole pages, in the same run. ece and brier say how far the
    probabilities of pages are from the truth, answered_ece and answered_brier those of "answered": 0 is best.
    no_answer_auroc: how well it tells questions without an answer apart, .5 is a guess. answered_coverage_at_95: the
    share of questions it can claim to answer and be right 95 times in 100.

    With --library, document_hit@k is the share of questions whose document is among the first k chosen, and hit@k that
    of questions with an evidence page among the first k of all documents.

    Where the budget ends, the questions asked by then are measured.

    Example: thumbindex eval questions.jsonl --documents pdfs --report report
    """
    if (documents is None) == (in_library is None):
        raise OptionError("name the folder of the PDFs with --documents, or a library with --library")
    if by and in_library is None:
        raise OptionError("--by chooses documents of a library: it goes with --library")
    options = SearchOptions(strategy=strategy.value, beam=beam, query_aware=not static)
    deciding = deciding_model(
        model, max_cost=max_cost, max_tokens=max_tokens, record=record, replay=replay, no_cache=no_cache
    )
    asked = load_questions(questions)[:limit]
    if out_file and out_file.exists() and out_file.samefile(questions):
        raise OptionError(f"--out {out_file} is the question set itself: name another file")
    if in_library is not None and report:
        raise OptionError("--report draws a run over given documents: leave it out with --library")
    asking = _Asking(asked, deciding, out_file, as_json)
    if in_library is not None:
        _measure_library(asking, in_library, LibrarySearch(by or By.AUTO, options=options))
    elif documents is not None:
        folder = made_folder(report) if report else None
        run, results = _measure_documents(asking, documents, options, no_cache)
        if folder:
            write_text(folder / "index.html", report_page(_set_name(questions), run, results, _rows(results)))
            err.print(f"wrote {folder / 'index.html'}")


def compare_command(
    a: Annotated[Path, typer.Argument(metavar="A", help="What `thumbindex eval --out` wrote.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another run of the same questions.")],
    at: Annotated[
        int, typer.Option(min=1, metavar="K", help="A question is right with a right page in the first K.")
    ] = 1,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples of the bootstrap.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap: the same seed, the same intervals.")] = 0,
    as_json: Json = False,
) -> None:
    """Say what B does better or worse than A, and on which questions.

    Both are runs over given documents, or both over a library. Differences are B - A, each with the 95 % interval of a
    paired bootstrap over questions. "better" or "worse" stands where the interval excludes 0. Questions that are not in
    both files are left out.

    Example: thumbindex compare before.jsonl after.jsonl
    """
    run_a, of_a = load_results(a)
    run_b, of_b = load_results(b)
    with err.status(f"Drawing {resamples:,} resamples"):
        comparison = compare(of_a, of_b, k=at, resamples=resamples, seed=seed)
    if as_json:
        print_json({"a": asdict(run_a), "b": asdict(run_b), "at": at, **comparison.to_json()})
    else:
        out.print(render_comparison(comparison, (str(a), run_a), (str(b), run_b), at))


@dataclass(frozen=True)
class _Asking:
    """What is asked of what model, and where the results go."""

    questions: Sequence[EvaluationQuestion]
    model: DecisionModel
    out_file: Path | None
    as_json: bool

    def run(self, options: Mapping[str, Setting]) -> Run:
        return Run(self.model.name, __version__, date.today().isoformat(), options)


def _measure_library(asking: _Asking, place: str, search: LibrarySearch) -> None:
    with opened(place, model=asking.model, must_exist=True) as collection:
        run = asking.run(settings_of(search, collection))
        results = _collected(evaluate_library(asking.questions, collection, search), run, asking)
    if asking.as_json:
        print_json(figures(results))
    else:
        out.print(render_library_figures(figures(results)))


def _measure_documents(
    asking: _Asking, documents: Path, options: SearchOptions, no_cache: bool
) -> tuple[Run, list[QuestionResult]]:
    run = asking.run(asdict(options))
    results = _collected(evaluate(asking.questions, documents, library(no_cache), asking.model, options), run, asking)
    if asking.as_json:
        print_json(figures(results) | {"bm25": floor_figures(results)})
    else:
        out.print(render_figures(_rows(results)))
    for note in sorted({f"{r.question.document}: {r.note}" for r in results if r.note}):
        err.print(f"note: {note}", style="yellow")
    if not any(result.ranking for result in results):
        raise typer.Exit(1)
    return run, results


def _collected(answers: Iterator[_Result], run: Run, asking: _Asking) -> list[_Result]:
    """The results, each written as it comes: a run that is stopped, by a budget too, leaves what it measured."""
    results: list[_Result] = []
    total = len(asking.questions)
    with bar() as progress, _written(asking.out_file) as lines:
        task = progress.add_task("Asking", total=total)
        try:
            for result in answers:
                results.append(result)
                if lines:
                    print(json.dumps(result_to_json(result, run), ensure_ascii=False), file=lines, flush=True)
                progress.advance(task)
        except BudgetSpentError as error:
            if not results:
                raise
            err.print(f"stopped after {len(results)} of {total} questions: {error}", style="yellow")
    return results


@contextmanager
def _written(path: Path | None) -> Iterator[TextIO | None]:
    """The file open for writing: a path that cannot be used fails before the questions are asked, not after."""
    if path is None:
        yield None
        return
    try:
        with spare_pdfs(path).open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise PathError(f"cannot write {path}: {error.strerror or error}") from error


def _set_name(questions: Path) -> str:
    """The file with its folder: many sets are named by the folder alone."""
    return "/".join(questions.absolute().with_suffix("").parts[-2:])


def _rows(results: Sequence[QuestionResult]) -> dict[str, Figures]:
    by_document: dict[str, list[QuestionResult]] = defaultdict(list)
    for result in results:
        by_document[result.question.document].append(result)
    rows = {name: figures(group) for name, group in sorted(by_document.items())} if len(by_document) > 1 else {}
    return rows | {"bm25": floor_figures(results), "all": figures(results)}
