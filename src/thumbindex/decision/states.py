"""What a request asks, and of which text, for models that compare a question with texts."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

from thumbindex.decision.base import State

__all__ = ["graded", "question_and_text", "question_of"]


def question_of(state: State, instructions: str) -> str:
    """What is asked: the state's "question", all that it says where it has none, the instructions where it is empty."""
    if isinstance(state, str):
        return state or instructions
    return state.get("question") or " ".join(state.values()) or instructions


def question_and_text(state: State, instructions: str, when_true: str = "") -> tuple[str, str]:
    """What is asked and what it is asked of. A state without a question is the text that the instructions ask about."""
    if isinstance(state, Mapping) and "question" in state:
        return state["question"], "\n".join(value for key, value in state.items() if key != "question")
    text = state if isinstance(state, str) else "\n".join(state.values())
    return f"{instructions} {when_true}".strip(), text


def graded(probability: float, levels: int) -> dict[str, float]:
    """A binomial over the levels: the expected level rises with the probability, from the lowest to the highest."""
    most = levels - 1
    return {
        str(level): comb(most, level) * probability**level * (1 - probability) ** (most - level)
        for level in range(levels)
    }
