"""Any server of the System One protocol, TypeSafe's own among them, through the official SDK (extra `typesafe`)."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from weakref import finalize

from thumbindex.decision.base import (
    Choice,
    Decision,
    Limits,
    Noul,
    Question,
    Request,
    Score,
    State,
    Usage,
    checked,
)
from thumbindex.decision.packing import packed, question_tokens, state_tokens
from thumbindex.decision.settings import ModelSettings
from thumbindex.decision.waiting import told_wait_s
from thumbindex.endpoints import Endpoint, is_about_length, sendable, without_key
from thumbindex.errors import (
    BackendBusyError,
    BackendRefusedError,
    BackendUnavailableError,
    DecisionError,
    InvalidDistributionError,
    MissingKeyError,
    OptionalDependencyError,
    RequestRefusedError,
    RequestTooLongError,
)
from thumbindex.tokens import estimate_tokens

if TYPE_CHECKING:
    from typesafe_sdk import Answer, QuestionModel, TypeSafeAPIError, TypeSafeClient, TypeSafeError

__all__ = ["KEY_VARIABLE", "SystemOneModel"]

KEY_VARIABLE = "TYPESAFE_API_KEY"
_URL_VARIABLE = "TYPESAFE_BASE_URL"
# The protocol's bounds: of 255 options about 240 are chosen among reliably; 32k tokens for the state and the longest
# question, 64k for a request.
_RELIABLE_OPTIONS = 240
_QUESTION_TOKENS, _REQUEST_TOKENS = 32_000, 64_000
# As many as the checks of one search: more would hold up the first answers, and one failure would cost more.
_QUESTIONS_PER_REQUEST = 16
_TIMEOUT_S = 60.0
# A server of one's own asks for no key, but the SDK insists on one.
_NO_KEY = "none"
# Of two equally probable options, rounding decides which one a server names.
_ROUNDING = 0.01
_OUTPUT_TOKENS = 16
_BUSY = {429, 529}
_KINDS = {Choice: "choice", Noul: "noul", Score: "score"}


class SystemOneModel:
    """Asks a server. What the SDK does not check is checked here: a distribution over what was asked, none missing.

    Questions about one state share a request. So do checks of several texts by one question: then the texts go with
    the questions, as `{"instructions": …, "text": …}`, and what they share is the state.

    Args:
        client: Of the SDK, pointed at the server; it must not retry by itself.
        endpoint: Where that is, and which model.
        key: What must not stand in any message.
        settings: Of this model.
    """

    def __init__(self, client: TypeSafeClient, endpoint: Endpoint, key: str, settings: ModelSettings) -> None:
        self._client = client
        # Its connections last as long as the model; nobody has to close it.
        finalize(self, client.close)
        self._endpoint = endpoint
        self._key = key
        self._key_variable = settings.api_key_env or KEY_VARIABLE
        self._questions_per_request = settings.questions_per_request or _QUESTIONS_PER_REQUEST
        self._limits = Limits(settings.max_options or _RELIABLE_OPTIONS, settings.max_tokens or _QUESTION_TOKENS)

    @classmethod
    def from_endpoint(cls, endpoint: Endpoint, settings: ModelSettings | None = None) -> SystemOneModel:
        """The model at an endpoint; the key comes from the environment.

        Raises:
            OptionalDependencyError: The extra `typesafe` is not installed.
            MissingKeyError: TypeSafe's own server is to be asked, and no key is set.
            BackendRefusedError: The key is of a form that no key has.
        """
        try:
            from typesafe_sdk import RetryPolicy, TypeSafeClient, TypeSafeError  # noqa: PLC0415 - an extra
        except ImportError as error:
            needed = "System One servers need an extra: pip install 'thumbindex[typesafe]'"
            raise OptionalDependencyError(needed) from error
        settings = settings or ModelSettings()
        variable = settings.api_key_env or KEY_VARIABLE
        # As the SDK does; here, so that answers of another server are kept apart.
        own_url = os.environ.get(_URL_VARIABLE, "").strip().rstrip("/")
        if endpoint.base_url is None and own_url:
            endpoint = Endpoint.from_text(f"{own_url}#{endpoint.model}", _URL_VARIABLE)
        key = os.environ.get(variable, "").strip()
        if not key and endpoint.base_url is None:
            raise MissingKeyError(f"typesafe:{endpoint.model} needs a key: set {variable}")
        try:
            client = TypeSafeClient(
                api_key=key or _NO_KEY,
                base_url=endpoint.base_url.removesuffix("/v1") if endpoint.base_url else None,
                retry=RetryPolicy(max_retries=0),
                timeout=settings.timeout_s or _TIMEOUT_S,
                # TypeSafe's own server reads compressed bodies; of others not all do, and there is no falling back.
                compression=None if endpoint.base_url is None else False,
            )
        except TypeSafeError:
            raise BackendRefusedError(f"the key in {variable} is not of a form that a key has") from None
        return cls(client, endpoint, key, settings)

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._endpoint.model

    @property
    def identity(self) -> str:
        """The server, the model, and how questions are packed."""
        return f"systemone {self._endpoint} {'alone' if self._questions_per_request == 1 else 'packed'}"

    @property
    def limits(self) -> Limits:
        """The protocol's, unless set otherwise."""
        return self._limits

    def packs(self, requests: Sequence[Request]) -> list[list[int]]:
        """Requests about one state together, and checks of several texts by one question."""
        sent = [self._sent(request) for request in requests]
        return packed([(one.state, one.tokens) for one in sent], self._questions_per_request, _REQUEST_TOKENS)

    def forecast(self, requests: Sequence[Request]) -> Usage:
        """The state of each pack once, every question, and a request a pack."""
        sent = [self._sent(request) for request in requests]
        packs = self.packs(requests)
        tokens = sum(state_tokens(sent[pack[0]].state) for pack in packs) + sum(one.tokens for one in sent)
        return Usage(len(requests), tokens, _OUTPUT_TOKENS * len(requests), 0.0, len(packs))

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests; one request to the server for each pack.

        Raises:
            DecisionError: As the contract says; what the SDK raises is translated here.
        """
        decided: dict[int, Decision] = {}
        for pack in self.packs(requests):
            decided |= zip(pack, self._ask([self._sent(requests[position]) for position in pack]), strict=True)
        return [decided[position] for position in range(len(requests))]

    def _sent(self, request: Request) -> _Sent:
        state, question = request.state, request.question
        shared = self._questions_per_request > 1 and not isinstance(state, str) and not isinstance(question, Choice)
        if shared and isinstance(state, Mapping) and set(state) == {"question", "text"}:
            return _Sent({"question": state["question"]}, question, state["text"])
        return _Sent(state, question)

    def _ask(self, sent: Sequence[_Sent]) -> list[Decision]:
        from typesafe_sdk import TypeSafeError  # noqa: PLC0415 - an extra

        questions = {f"q{number}": one.wire() for number, one in enumerate(sent)}
        about = sent[0].state
        state = sendable(about) if isinstance(about, str) else {name: sendable(text) for name, text in about.items()}
        began = time.perf_counter()
        try:
            response = self._client.system_one(state, questions, model=self._endpoint.model)
        except TypeSafeError as error:
            # Not chained: what a server says may repeat the key.
            raise self._translated(error) from None
        read, written = response.usage.input_tokens, response.usage.output_tokens
        # Not every server counts: an estimate keeps a budget better than nothing.
        read = state_tokens(sent[0].state) + sum(one.tokens for one in sent) if read is None else read
        usage = Usage(len(sent), read, written or 0, time.perf_counter() - began, 1)
        return [
            Decision(one.question, self._checked(one.question, response.answers.get(key)), response.model, share)
            for key, one, share in zip(questions, sent, usage.shares(len(sent)), strict=True)
        ]

    def _checked(self, question: Question, answer: Answer | None) -> dict[str, float]:
        kind = _KINDS[type(question)]
        if answer is None or answer.type != kind:
            given = "nothing" if answer is None else f"a {answer.type}"
            raise InvalidDistributionError(f"{self.name} answered a {kind} with {given}")
        match answer.type:
            case "noul":
                return checked(question, {"true": answer.noul, "false": 1 - answer.noul}, self.name)
            case "score":
                return checked(question, {str(level): p for level, p in answer.probabilities.items()}, self.name)
            case "choice":
                probabilities = checked(question, answer.probabilities, self.name)
                if probabilities.get(answer.choice, -1.0) >= max(probabilities.values()) - _ROUNDING:
                    return probabilities
        raise InvalidDistributionError(f"{self.name} chose an option that is not its most probable one")

    def _translated(self, error: TypeSafeError) -> DecisionError:
        from typesafe_sdk import (  # noqa: PLC0415 - an extra
            TypeSafeAPIConnectionError,
            TypeSafeAPIError,
            TypeSafeAPIResponseValidationError,
            TypeSafeAPITimeoutError,
        )

        match error:
            case TypeSafeAPITimeoutError():
                return BackendUnavailableError(f"{self._where} did not answer in time")
            case TypeSafeAPIConnectionError():
                return BackendUnavailableError(f"{self._where} cannot be reached")
            case TypeSafeAPIResponseValidationError():
                place = without_key(error.field_path, self._key) or "its start"
                return InvalidDistributionError(f"{self._where} answered what is no System One answer, at {place}")
            case TypeSafeAPIError():
                return self._refusal(error)
        return RequestRefusedError(f"{self._where} cannot be asked this: {without_key(str(error), self._key)}")

    def _refusal(self, error: TypeSafeAPIError) -> DecisionError:
        said = without_key(str(error), self._key)
        if error.status in _BUSY:
            return BackendBusyError(f"{self._where} is busy: {said}", told_wait_s(error.headers))
        if error.status in {401, 403}:
            return BackendRefusedError(f"{self._where} refused the key: check {self._key_variable}")
        if error.status == 413 or (error.status in {400, 422} and is_about_length(str(error.body))):
            return RequestTooLongError(f"{self._where} finds the request too long: {said}")
        if error.status == 408 or error.status >= 500:
            return BackendUnavailableError(f"{self._where} failed: {said}")
        refused = RequestRefusedError if error.status in {400, 422} else BackendRefusedError
        return refused(f"{self._where} refused: {said}")

    @property
    def _where(self) -> str:
        return f"{self.name} at {self._endpoint.base_url}" if self._endpoint.base_url else self.name


@dataclass(frozen=True, slots=True)
class _Sent:
    """A question in the form that goes over the wire; `text` is what a check is about where the state is shared."""

    state: State
    question: Question
    text: str | None = None

    @property
    def tokens(self) -> int:
        return question_tokens(self.question) + (estimate_tokens(self.text) if self.text else 0)

    def wire(self) -> QuestionModel:
        instructions: Any = sendable(self.question.instructions)
        if self.text is not None:
            instructions = {"instructions": instructions, "text": sendable(self.text)}
        match self.question:
            case Choice() as choice:
                options = {key: sendable(text) or None for key, text in choice.options.items()}
                asked = {"type": "choice", "criteria": options}
            case Noul() as noul:
                meant = {"true": noul.when_true, "false": noul.when_false}
                asked = {"type": "noul", "criteria": {key: sendable(text) for key, text in meant.items() if text}}
            case Score() as score:
                asked = {"type": "score", "criteria": [sendable(level) for level in score.levels]}
        return cast("QuestionModel", {key: value for key, value in asked.items() if value} | _named(instructions))


def _named(instructions: object) -> dict[str, object]:
    return {"instructions": instructions} if instructions else {}
