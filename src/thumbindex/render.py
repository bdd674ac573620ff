"""What the command line shows: findings, trees, traces, and tables of figures as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree as RichTree

from thumbindex.document import Page
from thumbindex.evaluation.metrics import KS
from thumbindex.search import Finding, FoundPage, Step
from thumbindex.searching import LibraryFinding, LibraryPage
from thumbindex.tree import Node, Tree

__all__ = ["page_name", "render_figures", "render_finding", "render_library_finding", "render_trace", "render_tree"]

_OPTIONS_SHOWN = 5


def page_name(number: int, label: str) -> str:
    """`PDF page 37 (printed 35)`, without the printed number where it is the same."""
    return f"PDF page {number}" + (f" (printed {label})" if label != str(number) else "")


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
    usage = finding.usage
    text = Text("\n" if finding.pages else "")
    if finding.answered:
        text.append(f"Answered, with probability {finding.answer_probability:.2f}.", style="bold green")
    else:
        text.append(
            f"No page clearly answers this (probability that one does: {finding.answer_probability:.2f}).",
            style="bold yellow",
        )
    text.append(
        f"\n{usage.decisions:,} decisions, {usage.input_tokens:,} tokens, {usage.seconds:.2f} s"
        f" · {finding.document_name}, {finding.document_pages} pages · {finding.document_id}",
        style="dim",
    )
    return text


def render_library_finding(finding: LibraryFinding) -> RenderableType:
    """The documents chosen and what led to each, what was asked of the database, then the pages of all of them."""
    if not finding.documents:
        return Group(*_ways(finding), Text("Nothing found: no way of choosing led to a document.", style="bold yellow"))
    documents = (_chosen_document(finding, number) for number in range(len(finding.documents)))
    return Group(*documents, *_ways(finding), Text(), *map(_library_page, finding.pages), _library_verdict(finding))


def _chosen_document(finding: LibraryFinding, number: int) -> Text:
    chosen = finding.documents[number]
    entry = finding.entries[chosen.document_id]
    text = Text(f"{number + 1}. ")
    text.append(entry.name, style="bold")
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
    text = Text(f"{page.document.name}  ", style="dim")
    text.append_text(_found_page(page.found))
    text.append(f"\n    document {page.document_probability:.2f} × page {page.found.probability:.2f}", style="dim")
    return text


def _library_verdict(finding: LibraryFinding) -> Text:
    if finding.answered:
        text = Text("\nAnswered.", style="bold green")
    else:
        text = Text("\nNo page clearly answers this.", style="bold yellow")
    usage = finding.usage
    text.append(
        f"\n{usage.decisions:,} decisions, {usage.input_tokens:,} tokens, {usage.seconds:.2f} s", style="dim not bold"
    )
    return text


def _ordinal(rank: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(rank, f"{rank}th")


def _shortened(reason: str, most: int = 100) -> str:
    return reason if len(reason) <= most else reason[: most - 1] + "…"


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
    """A table with a row of figures for each name."""
    columns = [
        "questions",
        *(f"hit@{k}" for k in KS),
        "mrr",
        "all@10",
        "kept_hit",
        "kept_pages",
        "section_recall",
        "section_share",
        "no_answer_auroc",
        "no_answer_accuracy",
        "seconds_per_question",
        "tokens_per_question",
    ]
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
