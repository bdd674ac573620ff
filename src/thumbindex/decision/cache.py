"""Answers that were given before, so that asking again is free."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from thumbindex.decision.base import Choice, Noul, Question, Request, State
from thumbindex.errors import OptionError

__all__ = ["Answer", "AnswerCache", "MemoryCache", "request_key"]

# A question takes some tens of decisions and an answer a few kilobytes: this holds a session, in a few megabytes.
_REMEMBERED_ANSWERS = 4_096


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of a decision: its probabilities by key, and the name of the model that gave it."""

    probabilities: Mapping[str, float]
    model: str


class AnswerCache(Protocol):
    """Where answers are kept, by `request_key`. Called from several threads."""

    def get(self, key: str) -> Answer | None:
        """The answer kept under the key."""
        ...

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer."""
        ...


class MemoryCache:
    """The last `capacity` answers used, in memory."""

    def __init__(self, capacity: int = _REMEMBERED_ANSWERS) -> None:
        if capacity < 1:
            raise OptionError(f"a cache holds at least one answer, not {capacity}")
        self._capacity = capacity
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Answer | None:
        """The answer kept under the key, if it is among the last used."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer; the one unused for longest gives way."""
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            if len(self._answers) > self._capacity:
                self._answers.popitem(last=False)


def request_key(model: str, request: Request) -> str:
    """A digest of the model's name and all that it is shown, the order of options included."""
    shown = [model, _state(request.state), *_question(request.question)]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def _state(state: State) -> object:
    return state if isinstance(state, str) else list(state.items())


def _question(question: Question) -> list[object]:
    match question:
        case Choice():
            return ["choice", question.instructions, list(question.options.items())]
        case Noul():
            return ["noul", question.instructions, question.when_true, question.when_false]
    return ["score", question.instructions, question.levels]
