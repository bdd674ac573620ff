"""The System One protocol as a server sees it: a JSON body to questions, and decisions to a JSON body."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from thumbindex.decision.base import Choice, Decision, Noul, Question, Request, Score, State, Usage
from thumbindex.endpoints import sendable

__all__ = ["Asked", "InvalidRequestError", "Named", "answers_json", "asked_from_json"]

_MOST_OPTIONS = 255
_FEWEST_LEVELS, _MOST_LEVELS = 2, 10
_TYPES = ("noul", "choice", "score")
# A name like p12, page_3, or b says nothing: it would only add noise to what a model reads about the option.
_OPAQUE_NAME = re.compile(r"[A-Za-z]{0,4}[-_ .#]?\d+|[A-Za-z]")


class InvalidRequestError(Exception):
    """The body is not a valid request; `errors` are in the protocol's form."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(errors[0]["msg"])
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Named:
    """A question by the name its answer goes by. `levels` are a Score's as they came."""

    name: str
    request: Request
    levels: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a body asks: the name of a model, and questions."""

    model: str
    questions: tuple[Named, ...]


def asked_from_json(body: bytes) -> Asked:
    """The questions in the body of a request.

    Raises:
        InvalidRequestError: It is not JSON, or not of the protocol's form.
    """
    content = _content(body)
    errors = list(_errors(content))
    if errors:
        raise InvalidRequestError(errors)
    questions = tuple(
        Named(name, _request(content["state"], question), tuple(question["criteria"]) if _is_score(question) else ())
        for name, question in content["questions"].items()
    )
    return Asked(content["model"], questions)


def answers_json(model: str, questions: tuple[Named, ...], decisions: list[Decision], usage: Usage) -> dict[str, Any]:
    """The body of the answer."""
    answers = {named.name: _answer(named, decision) for named, decision in zip(questions, decisions, strict=True)}
    tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {"model": model, "answers": answers, "usage": tokens}


def _content(body: bytes) -> Any:
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        raise InvalidRequestError([_error([], "JSON is nested too deeply", "json_invalid")]) from None
    except ValueError as error:
        raise InvalidRequestError([_error([], f"JSON decode error: {error}", "json_invalid")]) from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _error(place: list[str | int], message: str, kind: str) -> dict[str, Any]:
    return {"loc": ["body", *place], "msg": message, "type": kind}


def _errors(content: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(content, dict):
        yield _error([], "Input should be an object", "dict_type")
        return
    for name in ("state", "model", "questions"):
        if name not in content:
            yield _error([name], "Field required", "missing")
    if "state" in content and not _is_text(content["state"]):
        yield _error(["state"], "Input should be a string, an object, or an array", "union_type")
    if not isinstance(content.get("model", ""), str):
        yield _error(["model"], "Input should be a string", "string_type")
    if content.get("assets"):
        yield _error(["assets"], "This server reads text only", "value_error")
    questions = content.get("questions", {})
    if not isinstance(questions, dict):
        yield _error(["questions"], "Input should be an object", "dict_type")
    elif "questions" in content and not questions:
        yield _error(["questions"], "Ask at least one question", "too_short")
    else:
        for name, question in questions.items():
            yield from _question_errors(["questions", name], question)


def _question_errors(place: list[str | int], question: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(question, dict):
        yield _error(place, "Input should be an object", "dict_type")
        return
    kind = question.get("type")
    if kind not in _TYPES:
        told = "Field required" if kind is None else f"Input should be one of {', '.join(_TYPES)}"
        yield _error([*place, "type"], told, "union_tag_not_found" if kind is None else "union_tag_invalid")
        return
    place = [*place, kind]
    instructions, criteria = question.get("instructions"), question.get("criteria")
    if instructions is not None and not _is_text(instructions):
        yield _error([*place, "instructions"], "Input should be a string, an object, or an array", "union_type")
    place = [*place, "criteria"]
    match kind:
        case "choice":
            yield from _choice_errors(place, criteria)
        case "score":
            yield from _score_errors(place, criteria)
        case _:
            yield from _noul_errors(place, criteria, instructions)


def _choice_errors(place: list[str | int], criteria: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(criteria, dict):
        yield _error(place, "Input should be an object of options", "missing" if criteria is None else "dict_type")
    elif not 1 <= len(criteria) <= _MOST_OPTIONS:
        told = f"A choice has 1 to {_MOST_OPTIONS} options, not {len(criteria)}"
        yield _error(place, told, "too_long" if criteria else "too_short")
    else:
        for name, text in criteria.items():
            if text is not None and not _is_text(text):
                yield _error([*place, name], "Input should be a string, an object, an array, or null", "union_type")


def _score_errors(place: list[str | int], criteria: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(criteria, list):
        yield _error(place, "Input should be an array of levels", "missing" if criteria is None else "list_type")
    elif not _FEWEST_LEVELS <= len(criteria) <= _MOST_LEVELS:
        told = f"A score has {_FEWEST_LEVELS} to {_MOST_LEVELS} levels, not {len(criteria)}"
        yield _error(place, told, "too_long" if len(criteria) > _MOST_LEVELS else "too_short")
    else:
        for number, text in enumerate(criteria):
            if not _is_text(text):
                yield _error([*place, number], "Input should be a string, an object, or an array", "union_type")


def _noul_errors(place: list[str | int], criteria: Any, instructions: Any) -> Iterator[dict[str, Any]]:
    if criteria is not None and (not isinstance(criteria, dict) or set(criteria) - {"true", "false"}):
        yield _error(place, "Input should be an object with true, false, or both", "dict_type")
        return
    for name, text in (criteria or {}).items():
        if text is not None and not _is_text(text):
            yield _error([*place, name], "Input should be a string, an object, an array, or null", "union_type")
    if instructions is None and not any(text is not None for text in (criteria or {}).values()):
        yield _error(place[:-1], "A noul needs instructions or criteria", "missing")


def _is_text(value: Any) -> bool:
    return isinstance(value, str | dict | list)


def _is_score(question: Mapping[str, Any]) -> bool:
    return bool(question["type"] == "score")


def _request(state: Any, question: Mapping[str, Any]) -> Request:
    """One question and its state.

    Instructions to judge may bring the text that they are about, `{"instructions": …, "text": …}`, to a state that
    holds the question: so several texts are checked by one question in one request.
    """
    instructions: Any = question.get("instructions")
    about = _state(state)
    brings_text = question["type"] != "choice" and isinstance(instructions, dict) and "text" in instructions
    if brings_text and not isinstance(about, str) and "text" not in about:
        about = {**about, "text": _text(instructions["text"])}
        instructions = instructions.get("instructions")
    return Request(about, _question(question, _text(instructions)))


def _state(state: Any) -> State:
    return {_text(name): _text(value) for name, value in state.items()} if isinstance(state, dict) else _text(state)


def _question(question: Mapping[str, Any], instructions: str) -> Question:
    criteria = question.get("criteria") or {}
    match question["type"]:
        case "choice":
            return Choice({name: _option(name, text) for name, text in criteria.items()}, instructions)
        case "score":
            return Score(tuple(_text(level) for level in criteria), instructions)
    return Noul(instructions, _text(criteria.get("true")), _text(criteria.get("false")))


def _option(name: str, text: Any) -> str:
    """What a model reads about an option: its name, where that says something, and its description."""
    described = _text(text)
    if not described:
        return _text(name)
    return described if _OPAQUE_NAME.fullmatch(name) else f"{_text(name)}: {described}"


def _text(value: Any) -> str:
    """A value as a model reads it."""
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return sendable(text)


def _answer(named: Named, decision: Decision) -> dict[str, Any]:
    match named.request.question:
        case Noul():
            return {"type": "noul", "noul": decision.probability}
        case Choice():
            return {
                "type": "choice",
                "choice": decision.choice,
                "probabilities": dict(decision.probabilities),
                "confidence": _unit(decision.confidence),
            }
        case Score():
            return {
                "type": "score",
                "score": decision.score,
                "legend": {str(level): text for level, text in enumerate(named.levels)},
                "probabilities": dict(decision.probabilities),
                "confidence": _unit(decision.confidence),
            }


def _unit(value: float) -> float:
    """Without what rounding adds below 0 or above 1."""
    return min(1.0, max(0.0, value))
