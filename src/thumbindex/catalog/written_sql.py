"""Choosing documents by SQL that a chat model writes from the question and the schema, never from rows."""

from __future__ import annotations

from collections.abc import Sequence

from thumbindex.catalog.choosing import Choosing, Chosen
from thumbindex.catalog.database import Database
from thumbindex.catalog.fields import Field
from thumbindex.catalog.guarded import run_guarded
from thumbindex.catalog.schema import VIEW
from thumbindex.catalog.statements import checked_statement
from thumbindex.generation.base import Prompt, TextGenerator

__all__ = ["choose_by_written_sql", "query_to_sql"]

_MOST_TOKENS = 300
_INSTRUCTIONS = (
    "You write SQL that chooses the documents that a question is about, by their metadata. Write one SELECT and "
    "nothing else: SELECT document_id FROM {view} WHERE ... It may use the columns below, comparisons, AND, OR, NOT, "
    "IN, BETWEEN, LIKE, IS NULL, LOWER, UPPER, ORDER BY and LIMIT, and no other function, table or sub-select. Names "
    "may be written in many ways: compare them with LOWER(column) LIKE '%name%'. Leave out what the question does not "
    "say.\n\n{schema}"
)


def query_to_sql(question: str, fields: Sequence[Field], generator: TextGenerator) -> str:
    """What the model wrote for a question: to be checked before anything is run.

    Raises:
        GenerationError: The model cannot be reached or answers with nothing.
    """
    columns = "".join(f", {field.name} {field.type}" for field in fields)
    schema = f"TABLE {VIEW} (document_id text, name text, pages integer{columns})"
    prompt = Prompt(_INSTRUCTIONS.format(view=VIEW, schema=schema), question, _MOST_TOKENS)
    return generator.write(prompt).text


def choose_by_written_sql(
    question: str, database: Database, fields: Sequence[Field], generator: TextGenerator
) -> Choosing:
    """The documents that the model's SQL gives, in its order.

    Raises:
        GenerationError: The model cannot be reached or answers with nothing.
        RefusedStatementError: What it wrote is not run.
    """
    written = query_to_sql(question, fields, generator)
    dialect = "postgres" if database.is_postgresql else "sqlite"
    statement = checked_statement(written, [field.name for field in fields], dialect)
    ids = dict.fromkeys(run_guarded(statement, database))
    reason = f"SQL by {generator.name}"
    documents = tuple(Chosen(document_id, 1.0, reason) for document_id in ids)
    return Choosing("metadata", documents, bool(documents), statement, "" if documents else "no row", only=True)
