"""Documents, read and counted as search does, and the questions asked of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from thumbindex import Library
from thumbindex.decision.embedded.windows import TextPieces, piece_weights, text_pieces
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.document import Document
from thumbindex.evaluation.questions import EvaluationQuestion, load_questions
from thumbindex.search import DocumentTerms
from thumbindex.tree import Tree

__all__ = ["Asked", "Corpus", "Reading", "load_split"]

SPLIT = Path(__file__).with_name("split.json")


@dataclass(frozen=True)
class Asked:
    """A question and the set that it is from."""

    question: EvaluationQuestion
    source: str


@dataclass(frozen=True)
class Reading:
    """A document ready for questions.

    Attributes:
        document: What was read.
        tree: Its sections.
        terms: Its words, as lexical ranking counts them.
        pages: Its pages, as the network reads them.
        weights: What a word piece is worth in it, shape `(vocabulary,)`.
    """

    document: Document
    tree: Tree
    terms: DocumentTerms
    pages: tuple[TextPieces, ...]
    weights: np.ndarray

    @property
    def name(self) -> str:
        """The file's name."""
        return self.document.name

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the document, in lower case."""
        return frozenset(word.strip(".,;:()$%'’\"") for page in self.terms.page_texts for word in page.lower().split())


class Corpus:
    """The documents and question sets of a folder.

    Args:
        data: Holds `written`, `mmlongbench`, `financebench` (`questions.jsonl`, `pdfs/`), `tatqa`, `unlabelled`.
        work: Where what was read is kept.
        vocabulary: The network's.
        questions: More questions, `*.jsonl`.
    """

    def __init__(self, data: Path, work: Path, vocabulary: WordPiece, questions: Path) -> None:
        self.data, self.vocabulary = data, vocabulary
        self._library = Library.from_cache(work / "library")
        self._questions = questions
        self._files = {path.name: path for path in sorted(data.rglob("*.pdf"))}

    def read(self, name: str) -> Reading:
        """The document of that file name."""
        opened = self._library.open(self._files[name])
        terms = DocumentTerms.from_document(opened.document, opened.tree)
        pages = tuple(text_pieces(text, self.vocabulary) for text in terms.page_texts)
        weights = piece_weights(pages, len(self.vocabulary.vocabulary))
        return Reading(opened.document, opened.tree, terms, pages, weights)

    def asked(self, source: str) -> list[Asked]:
        """The questions of a set; "more" are those written since."""
        if source != "more":
            return [Asked(question, source) for question in load_questions(self.data / source / "questions.jsonl")]
        paths = sorted(self._questions.glob("*.jsonl"))
        known = [question for path in paths for question in load_questions(path)]
        return [Asked(question, source) for question in known if question.document in self._files]

    def documents(self, source: str) -> list[str]:
        """The file names of a set."""
        folder = self.data / source
        return sorted(path.name for path in folder.rglob("*.pdf"))


def load_split(part: str) -> frozenset[str]:
    """The documents that are for "training" or for "development"."""
    split: dict[str, Iterable[str]] = json.loads(SPLIT.read_text())
    return frozenset(split[part])
