"""A chat model as a decision model, at any OpenAI-compatible server (extra `chat`).

One token is asked for, and the probabilities of its alternatives are the answer. A server that gives no such
probabilities is asked to write them down as JSON instead.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import finalize

from thumbindex.decision.ballots import MOST_OPTIONS, Ballot, averaged, ballots, tempered
from thumbindex.decision.base import Decision, Limits, Noul, Request, Usage, checked
from thumbindex.decision.packing import question_tokens, state_tokens
from thumbindex.decision.settings import ModelSettings
from thumbindex.decision.waiting import told_wait_s
from thumbindex.endpoints import Endpoint, is_about_length, sendable, without_key
from thumbindex.errors import (
    BackendBusyError,
    BackendRefusedError,
    BackendUnavailableError,
    DecisionError,
    InvalidDistributionError,
    RequestRefusedError,
    RequestTooLongError,
)
from thumbindex.generation.client import KEY_VARIABLE, openai_client
from thumbindex.tokens import estimate_tokens

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, OpenAIError

__all__ = ["ChatModel"]

# The context that Ollama gives a model unless told otherwise; it cuts off what is longer without a word.
_CONTEXT_TOKENS = 4_096
_PROMPT_TOKENS = 80
_ORDERS = 2
_JSON_ATTEMPTS = 2
_JSON_TOKENS, _JSON_TOKENS_PER_OPTION = 40, 12


class ChatModel:
    """Asks a chat model, each question in two opposite orders of its options unless set otherwise.

    Args:
        client: Of the `openai` package, pointed at the server; it must not retry by itself.
        endpoint: Where that is, and which model.
        settings: Of this model.
    """

    def __init__(self, client: OpenAI, endpoint: Endpoint, settings: ModelSettings | None = None) -> None:
        settings = settings or ModelSettings()
        self._client = client
        # Its connections last as long as the model; nobody has to close it.
        finalize(self, client.close)
        self._endpoint = endpoint
        self._key_variable = settings.api_key_env or KEY_VARIABLE
        self._orders = settings.orders or _ORDERS
        self._temperature = settings.temperature or 1.0
        most_options = min(settings.max_options or MOST_OPTIONS, MOST_OPTIONS)
        self._limits = Limits(most_options, settings.max_tokens or _CONTEXT_TOKENS)
        self._gives_logprobs = True

    @classmethod
    def from_endpoint(cls, endpoint: Endpoint, settings: ModelSettings | None = None) -> ChatModel:
        """The model at an endpoint; the key comes from the environment.

        Raises:
            OptionalDependencyError: The extra `chat` is not installed.
        """
        settings = settings or ModelSettings()
        return cls(openai_client(endpoint, settings.api_key_env, settings.timeout_s, retries=0), endpoint, settings)

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._endpoint.model

    @property
    def identity(self) -> str:
        """The server, the model, and the settings that move its answers."""
        return f"chat {self._endpoint} orders={self._orders} temperature={self._temperature:g}"

    @property
    def limits(self) -> Limits:
        """As many options as there are alternatives to a token, and the model's context."""
        return self._limits

    def packs(self, requests: Sequence[Request]) -> list[list[int]]:
        """Each question alone: a chat model answers one."""
        return [[position] for position in range(len(requests))]

    def forecast(self, requests: Sequence[Request]) -> Usage:
        """Every question in each order."""
        shown = sum(_PROMPT_TOKENS + state_tokens(r.state) + question_tokens(r.question) for r in requests)
        asked = self._orders * len(requests)
        written = asked if self._gives_logprobs else self._orders * sum(map(_json_tokens, requests))
        return Usage(len(requests), self._orders * shown, written, 0.0, asked)

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests.

        Raises:
            DecisionError: As the contract says; what the client raises is translated here.
        """
        return [self._decide(request) for request in requests]

    def _decide(self, request: Request) -> Decision:
        if len(request.question.keys) > MOST_OPTIONS:
            raise RequestTooLongError(f"{self.name} takes {MOST_OPTIONS} options, not {len(request.question.keys)}")
        answers = [self._answer(ballot) for ballot in ballots(request, self._orders)]
        mean = averaged([tempered(probabilities, self._temperature) for probabilities, _ in answers])
        usage = sum((usage for _, usage in answers), Usage(decisions=1))
        return Decision(request.question, checked(request.question, mean, self.name), self.name, usage)

    def _answer(self, ballot: Ballot) -> tuple[dict[str, float], Usage]:
        spent = Usage()
        if self._gives_logprobs:
            logprobs, spent = self._ask_token(ballot)
            probabilities = ballot.from_logprobs(logprobs) if logprobs else None
            if probabilities:
                return probabilities, spent
            self._gives_logprobs = bool(logprobs)
        for _ in range(_JSON_ATTEMPTS):
            text, usage = self._ask_json(ballot)
            spent += usage
            probabilities = ballot.from_json(text)
            if probabilities:
                return probabilities, spent
        raise InvalidDistributionError(f"{self._where} answered neither with a label nor with JSON of probabilities")

    def _ask_token(self, ballot: Ballot) -> tuple[list[tuple[str, float]], Usage]:
        asked = {"max_tokens": 1, "logprobs": True, "top_logprobs": MOST_OPTIONS}
        try:
            choice, usage = self._complete(ballot.messages(), **asked)
        except BackendRefusedError as error:
            if "logprobs" not in str(error):
                raise
            return [], Usage(requests=1)
        tokens = choice.logprobs.content if choice.logprobs else None
        return [(top.token, top.logprob) for top in tokens[0].top_logprobs] if tokens else [], usage

    def _ask_json(self, ballot: Ballot) -> tuple[str, Usage]:
        asked = {"max_tokens": _json_tokens(ballot.request), "response_format": {"type": "json_object"}}
        choice, usage = self._complete(ballot.json_messages(), **asked)
        return choice.message.content or "", usage

    def _complete(self, messages: Sequence[tuple[str, str]], **asked: Any) -> tuple[Any, Usage]:
        from openai import OpenAIError  # noqa: PLC0415 - an extra

        shown: Any = [{"role": role, "content": sendable(text)} for role, text in messages]
        began = time.perf_counter()
        try:
            completion = self._client.chat.completions.create(
                model=self._endpoint.model, messages=shown, temperature=0, **asked
            )
        except OpenAIError as error:
            # Not chained: what a server says may repeat the key.
            raise self._translated(error) from None
        if not getattr(completion, "choices", None):
            raise InvalidDistributionError(f"{self._where} answered what is no chat completion")
        seconds = time.perf_counter() - began
        if used := completion.usage:
            return completion.choices[0], Usage(0, used.prompt_tokens, used.completion_tokens, seconds, 1)
        # Not every server counts: an estimate keeps a budget better than nothing.
        return completion.choices[0], Usage(0, sum(estimate_tokens(text) for _, text in messages), 1, seconds, 1)

    def _translated(self, error: OpenAIError) -> DecisionError:
        from openai import APIConnectionError, APIStatusError, APITimeoutError  # noqa: PLC0415 - an extra

        match error:
            case APITimeoutError():
                return BackendUnavailableError(f"{self._where} did not answer in time")
            case APIConnectionError():
                return BackendUnavailableError(f"{self._where} cannot be reached")
            case APIStatusError():
                return self._refusal(error)
        return InvalidDistributionError(f"{self._where} answered what is no chat completion: {type(error).__name__}")

    def _refusal(self, error: APIStatusError) -> DecisionError:
        said = without_key(error.message, os.environ.get(self._key_variable, "").strip())
        if error.status_code in {401, 403}:
            return BackendRefusedError(f"{self._where} refused the key: check {self._key_variable}")
        if error.status_code == 429 and error.code != "insufficient_quota":
            return BackendBusyError(f"{self._where} is busy: {said}", told_wait_s(error.response.headers))
        if error.status_code == 413 or (error.status_code in {400, 422} and is_about_length(error.message)):
            return RequestTooLongError(f"{self._where} finds the request too long: {said}")
        if error.status_code == 408 or error.status_code >= 500:
            return BackendUnavailableError(f"{self._where} failed: {said}")
        refused = RequestRefusedError if error.status_code in {400, 422} else BackendRefusedError
        return refused(f"{self._where} refused: {said}")

    @property
    def _where(self) -> str:
        return f"{self.name} at {self._endpoint.base_url}"


def _json_tokens(request: Request) -> int:
    labels = 2 if isinstance(request.question, Noul) else len(request.question.keys)
    return _JSON_TOKENS + _JSON_TOKENS_PER_OPTION * labels
