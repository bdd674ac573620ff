"""TAT-QA (CC BY 4.0): questions over a table and its paragraphs, as pages, and as lines of one page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thumbindex.decision.embedded.windows import TextPieces, text_pieces
from thumbindex.decision.embedded.wordpiece import WordPiece
from thumbindex.passages import Passages, passage_terms
from thumbindex.terms import content_terms
from training.groups import Group

__all__ = ["tatqa_groups"]

DOCUMENT = "TAT-QA"
_QUESTIONS_PER_PASSAGE = 3
# The very best of other passages often hold the same row of another company: they would answer, were it theirs.
_TOO_ALIKE, _RANKED = 4, 28
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z])")


def tatqa_groups(folder: Path, vocabulary: WordPiece, rng: np.random.Generator) -> Iterator[Group]:
    """Groups of pages (whole passages) and of lines (rows and sentences of one passage)."""
    files = ("tatqa_dev.json", "tatqa_test_gold.json")
    entries = [entry for name in files for entry in json.loads((folder / name).read_text())]
    lines = [_lines(entry) for entry in entries]
    texts = ["\n".join(["", *passage]) for passage in lines]
    passages = Passages([passage_terms(text) for text in texts])
    pieces = [text_pieces(text, vocabulary) for text in texts]
    for number, entry in enumerate(entries):
        questions = [entry["questions"][i] for i in rng.permutation(len(entry["questions"])).tolist()]
        for question in questions[:_QUESTIONS_PER_PASSAGE]:
            log_odds = passages.log_odds(content_terms(question["question"]))
            ranked = [row for row in np.argsort(-log_odds).tolist() if row != number][_TOO_ALIKE:_RANKED]
            negatives = tuple(pieces[row] for row in ranked)
            yield Group("page", "tatqa", question["question"], DOCUMENT, (pieces[number],), negatives)
        for question in questions:
            if group := _line_group(question, lines[number], vocabulary):
                yield group


def _lines(entry: dict[str, Any]) -> list[str]:
    rows = [" ".join(cell for cell in row if cell) for row in entry["table"]["table"]]
    sentences = [part for paragraph in entry["paragraphs"] for part in _SENTENCE.split(paragraph["text"])]
    return [line for line in rows + sentences if line]


def _line_group(question: dict[str, Any], lines: Sequence[str], vocabulary: WordPiece) -> Group | None:
    """Which lines hold the answer, where it stands in the text as it is; None where that is all lines or none."""
    answers = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
    if question["answer_type"] not in ("span", "multi-span") or not all(len(str(a)) > 3 for a in answers):
        return None
    right = [line for line in lines if any(str(answer) in line for answer in answers)]
    if not right or len(right) > 2:
        return None
    asked = set(content_terms(question["question"]))
    wrong = sorted(
        (line for line in lines if line not in right), key=lambda line: -len(asked & set(content_terms(line)))
    )
    positives, negatives = ([text_pieces(line, vocabulary) for line in part] for part in (right, wrong[:16]))
    return Group("line", "tatqa", question["question"], DOCUMENT, tuple(positives), tuple(negatives)) if wrong else None


def tatqa_pieces(folder: Path, vocabulary: WordPiece) -> list[TextPieces]:
    """All passages."""
    files = ("tatqa_dev.json", "tatqa_test_gold.json")
    entries = [entry for name in files for entry in json.loads((folder / name).read_text())]
    return [text_pieces("\n".join(["", *_lines(entry)]), vocabulary) for entry in entries]
