"""Answering the questions of a request with the models that are served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thumbindex.decision.base import Choice, Decision, DecisionModel, Usage
from thumbindex.search.menus import Chosen, Menu, Option, choose_about
from thumbindex.server.system_one import Asked, Named, answers_json

__all__ = ["ALIAS", "Served", "Shelf"]

# What the SDKs ask for unless told otherwise.
ALIAS = "jev-latest"
# The protocol demands a date for every model. Most servers do not say theirs.
_UNKNOWN_DATE = "1970-01-01"


@dataclass(frozen=True, slots=True)
class Served:
    """A model that is served.

    Attributes:
        name: As it was asked for on the command line.
        model: What answers.
        about: What it is.
        since: The day from which it answers as it does now.
    """

    name: str
    model: DecisionModel
    about: str = ""
    since: str = ""


class Shelf:
    """The models of a server by name: the names they were started by, and those they answer by. The first is default.

    Args:
        served: At least one.
    """

    def __init__(self, served: Sequence[Served]) -> None:
        self._served = tuple(served)
        self._models: Mapping[str, DecisionModel] = {
            **{one.model.name: one.model for one in reversed(self._served)},
            **{one.name: one.model for one in reversed(self._served)},
            ALIAS: self._served[0].model,
        }

    def models_json(self) -> dict[str, Any]:
        """The body of the answer to which models there are."""
        alias = Served(ALIAS, self._served[0].model, f"An alias of {self._served[0].name}.", self._served[0].since)
        return {
            "models": [
                {"name": one.name, "description": one.about, "release_date": one.since or _UNKNOWN_DATE}
                for one in (alias, *self._served)
            ]
        }

    def knows(self, name: str) -> bool:
        """Whether a model goes by that name."""
        return name in self._models

    def answer(self, asked: Asked) -> dict[str, Any]:
        """The body of the answer. A Choice among more options than the model takes is asked in parts and a final.

        Raises:
            DecisionError: The model failed.
        """
        model = self._models[asked.model]
        decided = {**_chosen(asked.questions, model), **_judged(asked.questions, model)}
        decisions = [decided[named.name] for named in asked.questions]
        usage = sum((decision.usage for decision in decisions), Usage())
        name = next((decision.model for decision in decisions if decision.model), model.name)
        return answers_json(name, asked.questions, decisions, usage)


def _chosen(questions: Sequence[Named], model: DecisionModel) -> dict[str, Decision]:
    menus = {named.name: _menu(named) for named in questions if isinstance(named.request.question, Choice)}
    if not menus:
        return {}
    about = {named.name: named.request for named in questions}
    chosen = choose_about(next(iter(about.values())).state, list(menus.values()), model)
    return {name: _decision(about[name].question, answer) for name, answer in zip(menus, chosen, strict=True)}


def _menu(named: Named) -> Menu:
    options = named.request.question.options if isinstance(named.request.question, Choice) else {}
    shown = {key: Option(key, text) for key, text in options.items()}
    return Menu(named.name, named.request.question.instructions, shown)


def _decision(question: Any, chosen: Chosen) -> Decision:
    steps = list(chosen.step.walk())
    usage = sum((step.usage for step in steps), Usage())
    return Decision(question, chosen.probabilities, next((s.model for s in steps if s.model), ""), usage)


def _judged(questions: Sequence[Named], model: DecisionModel) -> dict[str, Decision]:
    judged = [named for named in questions if not isinstance(named.request.question, Choice)]
    decisions = model.decide([named.request for named in judged])
    return {named.name: decision for named, decision in zip(judged, decisions, strict=True)}
