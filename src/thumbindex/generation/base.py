"""The contract of a model that writes text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Prompt", "TextGenerator", "Written"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to write: `instructions` say how, `text` is what it is about; at most `max_tokens` come back."""

    instructions: str
    text: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, and the tokens it took as the model counts them."""

    text: str
    input_tokens: int
    output_tokens: int


class TextGenerator(Protocol):
    """What every backend is."""

    @property
    def name(self) -> str:
        """Name of the model, as it stands in what it wrote."""
        ...

    def write(self, prompt: Prompt) -> Written:
        """The model's text for the prompt.

        Raises:
            GenerationError: The model cannot be reached, refuses, or answers with nothing.
        """
        ...
