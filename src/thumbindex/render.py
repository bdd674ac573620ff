"""What the command line shows: findings, trees, traces, and tables of figures as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree as RichTree

from thumbindex.decision.base import Usage
from thumbindex.document import Page
from thumbindex.evaluation.comparison import Change, Comparison, Difference
from thumbindex.evaluation.metrics import KS
from thumbindex.evaluation.results import Run
from thumbindex.library_search import LibraryFinding, LibraryPage
from thumbindex.search import Finding, FoundPage, Step
from thumbindex.tree import Node, Tree

__all__ = [
    "page_name",
    "printable",
    "render_comparison",
    "render_figures",
    "render_finding",
    "render_library_figures",
    "render_library_finding",
    "render_trace",
    "render_tree",
    "usage_line",
]

# A terminal obeys these; a name of a file or a text of others may hold them.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}
_CONTROLS |= {ord("\t"): "\\t", ord("\n"): "\\n", ord("\r"): "\\r"}
_CONTROLS_IN_LINES = {code: written for code, written in _CONTROLS.items() if code not in b"\t\n"}
_OPTIONS_SHOWN = 5
_CHANGES_SHOWN = 10
_FINDING_COLUMNS = (
    *("questions", *(f"hit@{k}" for k in KS), "mrr", "all@10", "kept_hit", "kept_pages"),
    *("section_recall", "section_share", "seconds_per_question", "tokens_per_question"),
)
_PROBABILITY_COLUMNS = (
    *("ece", "brier", "kept_ece", "no_answer_auroc", "no_answer_accuracy", "answered_ece", "answered_brier"),
    *("answered_coverage_at_95", "kept_coverage_at_95"),
)


def page_name(number: int, label: str) -> str:
    """`PDF page 37 (printed 35)`, without the printed number where it is the same."""
    return f"PDF page {number}" + (f" (printed {label})" if label != str(number) else "")


def printable(text: str, *, lines: bool = False) -> str:
    r"""A text with its control characters written out, as `\x1b`; of one line, or with `lines` of several."""
    return text.translate(_CONTROLS_IN_LINES if lines else _CONTROLS)


def render_finding(finding: Finding) -> RenderableType:
    """The found pages with their answering lines, then whether any answers and what it cost."""
    return Group(*(_found_page(page) for page in finding.pages), _verdict(finding))


def _found_page(page: FoundPage) -> Text:
    text = Text()
    text.append(page_name(page.page, page.label), style="bold")
    text.append(f"  {page.probability:.2f}  ", style="green" if page.probability >= 0.5 else "yellow")
    text.append(" › ".join(page.path), style="dim")
    for line in page.lines:
        text.append(f"\n    {line.text}")
        text.append(f"  {line.probability:.2f}", style="dim")
    return text


def _verdict(finding: Finding) -> Text:
    text = Text("\n" if finding.pages else "")
    text.append_text(_stopped(finding.stopped))
    if finding.answered:
        text.append(f"Answered, with probability {finding.answer_probability:.2f}.", style="bold green")
    elif finding.checked or not finding.stopped:  # of pages that were not looked at there is nothing to say
        text.append(
            f"No page clearly answers this (probability that the document does: {finding.answer_probability:.2f}).",
            style="bold yellow",
        )
    about = f"{printable(finding.document_name)}, {finding.document_pages} pages · {finding.document_id}"
    text.append(f"\n{usage_line(finding.usage)} · {about}", style="dim")
    return text


def _stopped(why: str) -> Text:
    said = f"Stopped early: {why}. Above is what was found by then.\n" if why else ""
    return Text(said, style="bold yellow")


def render_library_finding(finding: LibraryFinding) -> RenderableType:
    """The documents chosen and what led to each, what was asked of the database, then the pages of all of them."""
    if not finding.documents:
        nothing = Text("Nothing found: no way of choosing led to a document.", style="bold yellow")
        return Group(*_ways(finding), _stopped(finding.stopped).append_text(nothing))
    documents = (_chosen_document(finding, number) for number in range(len(finding.documents)))
    return Group(*documents, *_ways(finding), Text(), *map(_library_page, finding.pages), _library_verdict(finding))


def _chosen_document(finding: LibraryFinding, number: int) -> Text:
    chosen = finding.documents[number]
    entry = finding.entries[chosen.document_id]
    text = Text(f"{number + 1}. ")
    text.append(printable(entry.name), style="bold")
    text.append(f"  {chosen.probability:.2f}  ", style="green" if chosen.probability >= 0.5 else "yellow")
    text.append(entry.id, style="dim")
    for way, (rank, said) in chosen.ways.items():
        text.append(f"\n     {way}: {_ordinal(rank)}, {said.score:.2f}  {_shortened(said.reason)}", style="dim")
    return text


def _ways(finding: LibraryFinding) -> Iterator[Text]:
    for way in finding.choosings:
        if way.sql:
            yield Text(f"SQL: {way.sql}", style="cyan")
        if way.note:
            yield Text(f"{way.way}: {way.note}", style="dim")


def _library_page(page: LibraryPage) -> Text:
    text = Text(f"{printable(page.document.name)}  ", style="dim")
    text.append_text(_found_page(page.found))
    text.append(f"\n    document {page.document_probability:.2f} × page {page.found.probability:.2f}", style="dim")
    return text


def _library_verdict(finding: LibraryFinding) -> Text:
    text = Text("\n" if finding.pages else "")
    text.append_text(_stopped(finding.stopped))
    if finding.answered:
        text.append("Answered.", style="bold green")
    elif not finding.stopped or any(found.checked for found in finding.findings):  # as of one document
        text.append("No page clearly answers this.", style="bold yellow")
    text.append(f"\n{usage_line(finding.usage)}", style="dim not bold")
    return text


def _ordinal(rank: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(rank, f"{rank}th")


def _shortened(reason: str, most: int = 100) -> str:
    return reason if len(reason) <= most else reason[: most - 1] + "…"


def usage_line(usage: Usage) -> str:
    """What answers cost: decisions, requests to a server, tokens, money, time."""
    parts = [f"{usage.decisions:,} decisions"]
    if usage.requests:
        cost = "price not known" if usage.cost_usd is None else f"${usage.cost_usd:.5f}"
        parts += [f"{usage.requests:,} requests", f"{usage.tokens:,} tokens", cost]
    else:
        parts += [f"{usage.tokens:,} tokens"]
    return ", ".join([*parts, *([f"{usage.seconds:.2f} s"] if usage.seconds else [])])


def render_trace(steps: Iterable[Step]) -> RenderableType:
    """Every decision with its options and probabilities, indented under the one that led to it."""
    root = RichTree("How it was found", guide_style="dim")
    for step in steps:
        _grow(root, step)
    return root


def _grow(branch: RichTree, step: Step) -> None:
    label = Text(step.title, style="bold")
    label.append(f"  {step.model}, {step.usage.input_tokens:,} tokens, {step.usage.seconds:.3f} s", style="dim")
    grown = branch.add(label)
    ranked = sorted(step.options, key=lambda option: -option.probability)
    for option in ranked[:_OPTIONS_SHOWN]:
        grown.add(Text(f"{option.probability:.3f}  {option.title}"))
    if len(ranked) > _OPTIONS_SHOWN:
        rest = sum(option.probability for option in ranked[_OPTIONS_SHOWN:])
        grown.add(Text(f"{rest:.3f}  {len(ranked) - _OPTIONS_SHOWN} more", style="dim"))
    for child in step.children:
        _grow(grown, child)


def render_tree(tree: Tree, pages: Sequence[Page], depth: int | None, explain: bool) -> RenderableType:
    """The tree with title, pages and summary of each section; with `explain`, where each came from."""
    root = RichTree(f"{len(pages)} pages", guide_style="dim")
    for node in tree.nodes:
        _grow_node(root, node, pages, depth, explain)
    return root


def _grow_node(branch: RichTree, node: Node, pages: Sequence[Page], depth: int | None, explain: bool) -> None:
    if depth is not None and depth < 1:
        return
    label = Text(node.title, style="bold")
    label.append(f"  {_pages(node, pages)}", style="green")
    if explain:
        label.append(f"  {node.source}, confidence {node.confidence:.2f}", style="cyan")
    if node.summary:
        label.append(f"\n{node.summary}", style="dim")
    grown = branch.add(label)
    for child in node.children:
        _grow_node(grown, child, pages, None if depth is None else depth - 1, explain)


def _pages(node: Node, pages: Sequence[Page]) -> str:
    first, last = node.pages.first, node.pages.last
    span = f"{first}" if first == last else f"{first}–{last}"
    printed = pages[first - 1].label
    return f"{span} (printed {printed})" if printed != str(first) else span


def render_figures(rows: Mapping[str, Mapping[str, float | int | None]]) -> RenderableType:
    """A row for each name of what was found and its cost; then, of "all", what the probabilities are worth.

    One document has too few questions to say that of it.
    """
    overall = {name: row for name, row in rows.items() if name == "all"}
    return Group(_figures_table(rows, _FINDING_COLUMNS), Text(), _figures_table(overall, _PROBABILITY_COLUMNS))


def _figures_table(rows: Mapping[str, Mapping[str, float | int | None]], columns: Sequence[str]) -> Table:
    shown = [c for c in columns if any(row.get(c) is not None for row in rows.values())]
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    table.add_column("")
    for column in shown:
        table.add_column(column.replace("_", "\n", 2), justify="right", vertical="bottom")
    for name, row in rows.items():
        table.add_row(name, *_cells(row.get(column) for column in shown))
    return table


def _cells(values: Iterable[float | int | None]) -> Iterator[str]:
    for value in values:
        if value is None:
            yield ""
        elif isinstance(value, int) or value >= 100:
            yield f"{value:,.0f}"
        else:
            yield f"{value:.3f}"


def render_library_figures(figures: Mapping[str, float | int | None]) -> RenderableType:
    """A line of figures for each that applies."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in figures.items():
        if value is not None:
            table.add_row(name, *_cells([value]))
    return table


def render_comparison(comparison: Comparison, a: tuple[str, Run], b: tuple[str, Run], at: int) -> RenderableType:
    """What was compared, a row for each measure, then the questions won and lost."""
    return Group(
        Text(f"A  {_run_line(*a)}\nB  {_run_line(*b)}\n{_compared(comparison)}\n"),
        _differences_table(comparison.differences),
        *_changes(f"Won by B at {at}", "green", comparison.won),
        *_changes(f"Lost by B at {at}", "red", comparison.lost),
    )


def _run_line(file: str, run: Run) -> str:
    how = str(run.options.get("strategy", "?"))
    if "by" in run.options:
        how = f"documents by {run.options['by']}, {how}"
    return f"{file}: {run.model}, {how}, thumbindex {run.thumbindex}, {run.date}"


def _compared(comparison: Comparison) -> str:
    left_out = {
        "in A only": comparison.only_a,
        "in B only": comparison.only_b,
        "of the same id, but other text, document, or pages": comparison.changed,
    }
    parts = [f"{count:,} {why}" for why, count in left_out.items() if count]
    return f"{comparison.questions:,} questions in both" + (f"; left out: {', '.join(parts)}" if parts else "")


def _differences_table(differences: Sequence[Difference]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "A", "B", "B - A", "95 % interval", ""):
        table.add_column(name, justify="right" if name else "left")
    for row in differences:
        interval = f"{_signed(row.low)} to {_signed(row.high)}"
        verdict = Text(row.verdict, style="green" if row.verdict == "better" else "red")
        table.add_row(row.measure, *_cells((row.a, row.b)), _signed(row.difference), interval, verdict)
    return table


def _signed(value: float) -> str:
    return f"{value:+,.0f}" if abs(value) >= 100 else f"{value:+.3f}"


def _changes(title: str, style: str, changes: Sequence[Change]) -> Iterator[Text]:
    yield Text(f"\n{title}: {len(changes):,}", style=f"bold {style}")
    for change in changes[:_CHANGES_SHOWN]:
        ranks = f"rank {change.rank_a or '–'} → {change.rank_b or '–'}" if change.answerable else "has no answer"
        line = Text(f"  {change.id}  ", style="dim")
        line.append(change.question, style="default")
        line.append(f"  {ranks}, {change.document}")
        yield line
    if len(changes) > _CHANGES_SHOWN:
        yield Text(f"  and {len(changes) - _CHANGES_SHOWN:,} more: --json has all", style="dim")
