"""Training groups: a question, texts that answer it, and texts of the same document that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from thumbindex.decision.embedded.windows import TextPieces, text_pieces
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.search.describe import Describer, Telling
from thumbindex.terms import content_terms
from thumbindex.tree import Node
from training.corpus import Reading

__all__ = ["Group", "page_group", "section_groups", "unanswerable_twins"]

# As many as search scores; what ranks lower is hardly ever met.
RANKED = 24
FAR = 4
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")


@dataclass(frozen=True)
class Group:
    """A question and texts.

    Attributes:
        kind: What the texts are: "page", "section" or "line".
        source: Where the question is from.
        question: As asked.
        document: Whose texts these are.
        positives: Texts that answer; none where nothing does.
        negatives: Texts that do not, the likeliest to be taken for an answer first.
    """

    kind: str
    source: str
    question: str
    document: str
    positives: tuple[TextPieces, ...]
    negatives: tuple[TextPieces, ...]


def page_group(reading: Reading, question: EvaluationQuestion, source: str, rng: np.random.Generator) -> Group | None:
    """Pages: the best of lexical ranking and a few others, without those that are known to answer."""
    answering = [page for page in sorted(question.pages) if 1 <= page <= len(reading.pages)]
    if question.pages and not answering:
        return None
    log_odds = reading.terms.passages.log_odds(content_terms(question.question))
    ranked = [row + 1 for row in np.argsort(-log_odds, kind="stable").tolist() if row + 1 not in question.evidence]
    far = rng.permutation(ranked[RANKED:])[:FAR].tolist()
    return _pages(reading, question.question, source, answering, ranked[:RANKED] + far)


def unanswerable_twins(
    reading: Reading, question: EvaluationQuestion, names: Sequence[str], rng: np.random.Generator
) -> Iterator[Group]:
    """The question with another year, or another name, that its document does not know: then no page answers."""
    group = page_group(reading, question, "twin", rng)
    if group is None or not group.positives:
        return
    for changed in (
        _another_year(question.question, reading, rng),
        _another_name(question.question, reading, names, rng),
    ):
        if changed:
            yield Group("page", "twin", changed, group.document, (), group.positives + group.negatives)


def section_groups(
    reading: Reading, question: EvaluationQuestion, source: str, vocabulary: WordPiece, rng: np.random.Generator
) -> Iterator[Group]:
    """A menu of sections on the way to an answer, as tree search describes them."""
    menus = [nodes for nodes in _menus(reading.tree.nodes) if _leads(nodes, question.pages)]
    if not menus:
        return
    nodes = menus[int(rng.integers(len(menus)))]
    describer = Describer(reading.terms, Telling.for_question(question.question, reading.terms))
    right = [node for node in nodes if question.pages & set(node.pages.numbers)]
    wrong = [node for node in nodes if not question.evidence & set(node.pages.numbers)]
    if not right or not wrong:
        return
    told = {id(node): describer.text(node) for node in nodes}
    log_odds = dict(zip(told, _evidence(list(told.values()), question.question), strict=True))
    wrong.sort(key=lambda node: -log_odds[id(node)])
    pieces = {key: text_pieces(text, vocabulary) for key, text in told.items()}
    positives, negatives = (tuple(pieces[id(node)] for node in part) for part in (right, wrong[:12]))
    yield Group("section", source, question.question, reading.name, positives, negatives)


def _pages(reading: Reading, question: str, source: str, right: Sequence[int], wrong: Sequence[int]) -> Group:
    positives, negatives = (tuple(reading.pages[page - 1] for page in part) for part in (right, wrong))
    return Group("page", source, question, reading.name, positives, negatives)


def _menus(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    if len(nodes) > 2:
        yield nodes
    for node in nodes:
        yield from _menus(node.children)


def _leads(nodes: Sequence[Node], pages: frozenset[int]) -> bool:
    return any(pages & set(node.pages.numbers) for node in nodes)


def _evidence(texts: Sequence[str], question: str) -> list[float]:
    asked = set(content_terms(question))
    return [float(len(asked & set(content_terms(text)))) for text in texts]


def _another_year(question: str, reading: Reading, rng: np.random.Generator) -> str:
    """The question with its years moved to where the document says nothing of them; empty where it has none."""
    years = sorted({int(year) for year in _YEAR.findall(question)})
    if not years:
        return ""
    moves = [move for move in (*range(-9, -2), *range(3, 9)) if not _told(years, move, reading)]
    if not moves:
        return ""
    move = int(rng.choice(moves))
    return _YEAR.sub(lambda match: str(int(match[0]) + move), question)


def _told(years: Sequence[int], move: int, reading: Reading) -> bool:
    return any(str(year + move) in reading.words for year in years)


def _another_name(question: str, reading: Reading, names: Sequence[str], rng: np.random.Generator) -> str:
    """The question with one of its names changed to one that the document does not hold; empty where it has none."""
    own = [name for name in _NAME.findall(question) if name.lower() in reading.words]
    strange = [name for name in rng.permutation(names)[:20].tolist() if name.lower() not in reading.words]
    if not own or not strange:
        return ""
    return question.replace(str(rng.choice(own)), strange[0])
