"""Text from any OpenAI-compatible chat server (extra `chat`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thumbindex.endpoints import Endpoint
from thumbindex.errors import GenerationError, UnknownModelError
from thumbindex.generation.base import Prompt, Written
from thumbindex.generation.client import openai_client

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["ChatGenerator"]

_KIND = "chat"


class ChatGenerator:
    """Asks a chat model at temperature 0.

    Args:
        client: Of the `openai` package, pointed at the server.
        model: The model's name there.
    """

    def __init__(self, client: OpenAI, model: str) -> None:
        self._client = client
        self._model = model

    @classmethod
    def from_spec(cls, spec: str) -> ChatGenerator:
        """The generator of `chat:BASE_URL#MODEL`; the key comes from the environment variable OPENAI_API_KEY.

        Raises:
            UnknownModelError: The spec is of another form.
            OptionalDependencyError: The extra `chat` is not installed.
        """
        kind, _, place = spec.partition(":")
        if kind != _KIND:
            raise UnknownModelError(f"{kind!r} is no kind of text model: write chat:BASE_URL#MODEL")
        endpoint = Endpoint.from_text(place, _KIND)
        return cls(openai_client(endpoint), endpoint.model)

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._model

    def write(self, prompt: Prompt) -> Written:
        """The model's text for the prompt.

        Raises:
            GenerationError: The server cannot be reached, refuses, or answers with nothing.
        """
        from openai import OpenAIError  # noqa: PLC0415 - an extra

        try:
            completion = self._client.chat.completions.create(
                model=self._model,
                messages=[
                    {"role": "system", "content": prompt.instructions},
                    {"role": "user", "content": prompt.text},
                ],
                max_tokens=prompt.max_tokens,
                temperature=0,
            )
        except OpenAIError as error:
            raise GenerationError(f"{self._model} did not write: {type(error).__name__}") from error
        text = (completion.choices[0].message.content or "").strip() if completion.choices else ""
        if not text:
            raise GenerationError(f"{self._model} answered with nothing")
        usage = completion.usage
        return Written(text, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)
