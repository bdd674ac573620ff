"""Text from any OpenAI-compatible chat server (extra `chat`)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from thumbindex.errors import GenerationError, OptionalDependencyError, UnknownModelError
from thumbindex.generation.base import Prompt, Written

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["ChatGenerator"]

_SPEC = re.compile(r"chat:(?P<base_url>https?://[^\s#]+)#(?P<model>\S+)")
_TIMEOUT_S = 120.0
# A server on one's own machine asks for no key, but the client insists on one.
_NO_KEY = "none"


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
        match = _SPEC.fullmatch(spec)
        if match is None:
            raise UnknownModelError(f"{spec!r} names no text model: write chat:BASE_URL#MODEL")
        try:
            from openai import OpenAI  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise OptionalDependencyError("chat models need an extra: pip install 'thumbindex[chat]'") from error
        key = os.environ.get("OPENAI_API_KEY") or _NO_KEY
        return cls(OpenAI(base_url=match["base_url"], api_key=key, timeout=_TIMEOUT_S), match["model"])

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
