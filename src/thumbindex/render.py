"""What the command line shows: findings, trees, traces, and tables of figures as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree as RichTree

from thumbindex.decision.base import Usage
from thumbindex.document import Page
from thumbindex.evaluation.metrics import KS
from thumbindex.search import Finding, FoundPage, Step
from thumbindex.tree import Node, Tree

__all__ = ["page_name", "render_figures", "render_finding", "render_trace", "render_tree", "usage_line"]

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
    text = Text("\n" if finding.pages else "")
    if finding.stopped:
        text.append(f"Stopped early: {finding.stopped}. What follows is what was found by then.\n", style="bold yellow")
    if finding.answered:
        text.append(f"Answered, with probability {finding.answer_probability:.2f}.", style="bold green")
    else:
        text.append(
            f"No page clearly answers this (probability that one does: {finding.answer_probability:.2f}).",
            style="bold yellow",
        )
    about = f"{finding.document_name}, {finding.document_pages} pages · {finding.document_id}"
    text.append(f"\n{usage_line(finding.usage)} · {about}", style="dim")
    return text


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
