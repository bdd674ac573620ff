"""How long requests are, and which of them share one request to a server."""

from __future__ import annotations

from collections.abc import Sequence

from thumbindex.decision.base import Choice, Noul, Question, State
from thumbindex.tokens import estimate_tokens

__all__ = ["packed", "question_tokens", "state_tokens"]

# For the names and marks that a server's own prompt puts around a state, a question, and an option.
_AROUND_STATE, _AROUND_QUESTION, _AROUND_OPTION = 40, 40, 12


def state_tokens(state: State) -> int:
    """An estimate that errs upward of the tokens in a state."""
    texts = [state] if isinstance(state, str) else [text for entry in state.items() for text in entry]
    return _AROUND_STATE + sum(map(estimate_tokens, texts))


def question_tokens(question: Question) -> int:
    """An estimate that errs upward of the tokens in a question with its options."""
    match question:
        case Choice():
            texts = [text for option in question.options.items() for text in option]
            options = len(question.options)
        case Noul():
            texts = [question.when_true, question.when_false]
            options = 2
        case _:
            texts = list(question.levels)
            options = len(texts)
    shown = estimate_tokens(question.instructions) + sum(map(estimate_tokens, texts))
    return _AROUND_QUESTION + _AROUND_OPTION * options + shown


def packed(questions: Sequence[tuple[State, int]], max_questions: int, max_tokens: int) -> list[list[int]]:
    """Positions of the questions that go together: about the same state, and together not too many or too long.

    A question that is too long by itself is a pack of its own: the server will say so.

    Args:
        questions: For each the state it is about, and the tokens in it.
        max_questions: In one pack.
        max_tokens: In one pack with its state.
    """
    packs: list[list[int]] = []
    open_packs: dict[tuple[object, ...], tuple[list[int], int]] = {}
    for position, (state, tokens) in enumerate(questions):
        about = _about(state)
        pack, used = open_packs.get(about, ([], 0))
        if not pack or len(pack) == max_questions or used + tokens > max_tokens:
            pack, used = [], state_tokens(state)
            packs.append(pack)
        pack.append(position)
        open_packs[about] = (pack, used + tokens)
    return packs


def _about(state: State) -> tuple[object, ...]:
    return (state,) if isinstance(state, str) else tuple(state.items())
