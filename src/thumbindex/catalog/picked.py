"""Descriptions written, and documents picked by them, by a chat model."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping

from thumbindex.catalog.choosing import Choosing, Chosen
from thumbindex.catalog.description import DescriptionTable, shown_descriptions
from thumbindex.errors import GenerationError
from thumbindex.generation.base import Prompt, TextGenerator
from thumbindex.tree import Tree

__all__ = ["choose_by_picking", "write_description"]

_PICK = (
    "You are given a list of documents with their ids and descriptions, and a question. Pick the documents that may "
    'hold the answer, best first. Reply with JSON and nothing else: {"thinking": "reasons", "answer": ["id", ...]}.'
    ' Where none may, reply with {"thinking": "...", "answer": []}.'
)
_DESCRIBE = (
    "Write one sentence of at most 50 words that tells this document from all others: who made it, what it is, which "
    "period it is about, and what is special in it. Reply with the sentence alone."
)
_PICK_TOKENS, _DESCRIBE_TOKENS = 600, 120
_OUTLINE_NODES, _OUTLINE_CHARACTERS = 60, 6_000
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def write_description(known: str, tree: Tree, generator: TextGenerator) -> str:
    """One sentence about a document, from the extractive one and its outline.

    Raises:
        GenerationError: The model cannot be reached or answers with nothing.
    """
    nodes = [node for _, node in tree.walk()][:_OUTLINE_NODES]
    outline = "\n".join(f"{node.title}: {node.summary}" for node in nodes)[:_OUTLINE_CHARACTERS]
    written = generator.write(Prompt(_DESCRIBE, f"{known}\n\n{outline}", _DESCRIBE_TOKENS)).text
    return " ".join(written.split())


def choose_by_picking(
    question: str, table: DescriptionTable, generator: TextGenerator, within: Collection[str] | None = None
) -> Choosing:
    """The documents that the chat model picks by their descriptions, best first.

    Raises:
        GenerationError: The model cannot be reached, or does not answer as asked.
    """
    texts = shown_descriptions(question, table, within)
    if not texts:
        return Choosing("description", applies=False, note="no description shares a word with the question")
    shown = "\n".join(f"{document_id}: {text}" for document_id, text in texts.items())
    answer = generator.write(Prompt(_PICK, f"{shown}\n\nQuestion: {question}", _PICK_TOKENS)).text
    picked, thinking = _picked(answer, texts, generator.name)
    reason = f"{generator.name}: {thinking}" if thinking else f"picked by {generator.name}"
    documents = tuple(Chosen(document_id, 1 / rank, reason) for rank, document_id in enumerate(picked, 1))
    return Choosing("description", documents, bool(documents), note="" if documents else "no description clearly fits")


def _picked(answer: str, texts: Mapping[str, str], model: str) -> tuple[list[str], str]:
    """The ids that the model names and that it was shown, each once, and its reasons."""
    found = _OBJECT.search(answer)
    try:
        value = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("answer"), list):
        raise GenerationError(f"{model} did not answer with the JSON it was asked for")
    thinking = value.get("thinking")
    ids = dict.fromkeys(entry for entry in value["answer"] if isinstance(entry, str) and entry in texts)
    return list(ids), " ".join(thinking.split()) if isinstance(thinking, str) else ""
