"""Asking a model about more than it takes at once: what it refuses as too long is halved and asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from thumbindex.decision.base import Choice, Decision, DecisionModel, Request
from thumbindex.errors import RequestTooLongError
from thumbindex.tokens import estimate_tokens

__all__ = ["ask", "cut_to_tokens", "halves", "request_tokens"]

# Below this a text says too little to decide by: a model that refuses it refuses everything.
_SHORTEST_TEXT = 80
# For the words that a model's own prompt puts around an option and around a request.
_OPTION_TOKENS, _REQUEST_TOKENS = 12, 80


def ask(requests: Sequence[Request], model: DecisionModel) -> list[list[Decision]]:
    """For each request its decision, or those of the pieces it had to be asked in.

    A Choice falls into Choices between some of the options, any other question into the same one about parts of the
    text. Texts that cannot be shared out are cut.

    Raises:
        RequestTooLongError: The model refuses even the smallest piece.
        DecisionError: The model failed otherwise.
    """
    try:
        return [[decision] for decision in model.decide(requests)]
    except RequestTooLongError:
        if len(requests) > 1:
            middle = len(requests) // 2
            return ask(requests[:middle], model) + ask(requests[middle:], model)
        pieces = _halves(requests[0])
        if not pieces:
            raise
        return [[decision for answers in ask(pieces, model) for decision in answers]]


def request_tokens(question: str, instructions: str, texts: Mapping[str, str]) -> int:
    """An estimate that errs upward of the tokens in a request about `question` that shows these texts by key."""
    shown = sum(estimate_tokens(key) + estimate_tokens(text) + _OPTION_TOKENS for key, text in texts.items())
    return _REQUEST_TOKENS + estimate_tokens(question) + estimate_tokens(instructions) + shown


def cut_to_tokens(text: str, max_tokens: int) -> str:
    """The beginning of a text that fits, by estimate."""
    while text and (tokens := estimate_tokens(text)) > max_tokens:
        text = text[: min(len(text) - 1, len(text) * max_tokens // tokens)]
    return text


def halves(text: str) -> list[str]:
    """The text in two, between lines where it has several; nothing where it is too short for that."""
    if len(text) <= _SHORTEST_TEXT:
        return []
    middle = text.rfind("\n", 0, len(text) // 2) + 1 or len(text) // 2
    return [text[:middle], text[middle:]]


def _halves(request: Request) -> list[Request]:
    if isinstance(request.question, Choice):
        return _choice_halves(request, request.question)
    if isinstance(request.state, str) or "text" not in request.state:
        return []
    texts = halves(request.state["text"])
    return [replace(request, state={**request.state, "text": text}) for text in texts]


def _choice_halves(request: Request, choice: Choice) -> list[Request]:
    options = list(choice.options.items())
    middle = len(options) // 2
    if middle >= 2:
        parts = [dict(options[:middle]), dict(options[middle:])]
    elif max(len(text) for _, text in options) > _SHORTEST_TEXT:
        parts = [{key: text[: max(_SHORTEST_TEXT, len(text) // 2)] for key, text in options}]
    else:
        parts = []
    return [replace(request, question=replace(choice, options=part)) for part in parts]
