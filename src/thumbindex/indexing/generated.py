"""Summaries written by a language model, in place of the extractive ones where it manages to."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from thumbindex.document import Document
from thumbindex.errors import GenerationError, OptionError
from thumbindex.generation.base import Prompt, TextGenerator
from thumbindex.tokens import estimate_tokens
from thumbindex.tree import Node, SummarySource, Tree

__all__ = ["SummaryBudget", "write_summaries"]

_INSTRUCTIONS = (
    "You write entries for the index of a document. Say in 20 to 50 words what the given section covers: its topics, "
    "the tables and figures in it, names and periods. One paragraph of plain text, no introduction."
)
_MAX_WORDS = 80
# A model that fails this often in a row is down or refuses everything: the rest stays extractive.
_MAX_FAILURES_IN_A_ROW = 3
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class SummaryBudget:
    """How much a model may read and write for one document.

    Attributes:
        max_tokens: In all, for the document.
        section_tokens: Of each section's text, from its beginning.
        summary_tokens: Of each summary.
    """

    max_tokens: int = 200_000
    section_tokens: int = 1_500
    summary_tokens: int = 120

    def __post_init__(self) -> None:
        for name in ("max_tokens", "section_tokens", "summary_tokens"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1, not {getattr(self, name)}")


def write_summaries(  # noqa: PLR0913
    tree: Tree,
    document: Document,
    generator: TextGenerator,
    kept: Mapping[str, str],
    keep: Callable[[str, str], None],
    budget: SummaryBudget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tree:
    """The tree with summaries by `generator`, the sections nearest the root first, until the budget is spent.

    A section keeps its extractive summary where the model fails, repeats a sibling's summary, or has no budget left.

    Args:
        tree: With extractive summaries.
        document: What the tree is of.
        generator: Writes.
        kept: What earlier runs wrote, by key: it costs nothing, so that an interrupted run goes on where it stopped.
        keep: Given key and text of each summary as soon as it is there.
        budget: How much may be read and written.
        progress: Told how many sections of how many are done.
    """
    budget = budget or SummaryBudget()
    spent, failures, known = 0, 0, dict(kept)
    written: dict[int, str] = {}
    order = list(_outside_in(tree))
    for done, (path, node) in enumerate(order, 1):
        prompt = _prompt(path, node, document, budget)
        key = hashlib.sha256("\0".join((generator.name, prompt.instructions, prompt.text)).encode()).hexdigest()
        cost = estimate_tokens(prompt.instructions + prompt.text) + prompt.max_tokens
        if key not in known and spent + cost <= budget.max_tokens and failures < _MAX_FAILURES_IN_A_ROW:
            text, used = _attempt(generator, prompt)
            spent += used or cost
            failures = 0 if text else failures + 1
            if text:
                known[key] = text
                keep(key, text)
        if key in known:
            written[id(node)] = known[key]
        if progress:
            progress(done, len(order))
    return Tree(tuple(_with_summaries(tree.nodes, written)))


def _outside_in(tree: Tree) -> Iterator[tuple[tuple[str, ...], Node]]:
    waiting: deque[tuple[tuple[str, ...], Node]] = deque(((), node) for node in tree.nodes)
    while waiting:
        path, node = waiting.popleft()
        yield path, node
        waiting.extend(((*path, node.title), child) for child in node.children)


def _prompt(path: tuple[str, ...], node: Node, document: Document, budget: SummaryBudget) -> Prompt:
    room = budget.section_tokens
    lines = []
    for _, _, line in node.lines(document):
        room -= estimate_tokens(line.text)
        if room < 0:
            break
        lines.append(line.text)
    parts = "; ".join(child.title for child in node.children)
    heading = " › ".join((*path, node.title))
    head = f"Document: {document.title or document.name}\nSection: {heading}\n"
    return Prompt(
        _INSTRUCTIONS,
        head + (f"Its parts: {parts}\n" if parts else "") + "\n".join(lines),
        budget.summary_tokens,
    )


def _attempt(generator: TextGenerator, prompt: Prompt) -> tuple[str, int]:
    """A usable summary or "", and the tokens it took (0 where the model did not say)."""
    try:
        written = generator.write(prompt)
    except GenerationError:
        return "", 0
    return _tidy(written.text), written.input_tokens + written.output_tokens


def _tidy(text: str) -> str:
    """One paragraph of at most 80 words, whole sentences where there are any."""
    words = " ".join(text.split())
    if len(words.split()) <= _MAX_WORDS:
        return words
    total = 0

    def fits(sentence: str) -> bool:
        nonlocal total
        total += len(sentence.split())
        return total <= _MAX_WORDS

    whole = " ".join(takewhile(fits, _SENTENCE_END.split(words)))
    return whole or " ".join(words.split()[:_MAX_WORDS]) + " …"


def _with_summaries(nodes: tuple[Node, ...], written: dict[int, str]) -> Iterator[Node]:
    used: set[str] = set()
    for node in nodes:
        children = tuple(_with_summaries(node.children, written))
        text = written.get(id(node), "")
        if text and text not in used:
            used.add(text)
            yield replace(node, children=children, summary=text, summary_source=SummarySource.GENERATED)
        else:
            yield replace(node, children=children)
