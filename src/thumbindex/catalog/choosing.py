"""What choosing documents comes to, whichever way it was done."""

from __future__ import annotations

from dataclasses import dataclass

from thumbindex.search.finding import Step

__all__ = ["NOT_ASKED", "Choosing", "Chosen"]

# Noted where a way had to do without the model.
NOT_ASKED = "the budget ended before the model had decided"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A document, how much speaks for it (higher is better; 1 is the most that a way can say), and why in words."""

    document_id: str
    score: float
    reason: str = ""


@dataclass(frozen=True)
class Choosing:
    """What one way of choosing came to.

    Attributes:
        way: "metadata", "semantics" or "description".
        documents: Best first.
        applies: Whether the way had something to go by.
        sql: What was asked of the database, values bound in; empty where none was.
        note: What the user should know, such as why a statement was refused.
        trace: Its decisions.
        only: Whether documents that are not in `documents` are ruled out rather than not looked at.
    """

    way: str
    documents: tuple[Chosen, ...] = ()
    applies: bool = True
    sql: str = ""
    note: str = ""
    trace: tuple[Step, ...] = ()
    only: bool = False
