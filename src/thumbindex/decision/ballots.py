"""How a question is put to a chat model, and how its answer is read: lettered options, or Yes and No."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite
from string import ascii_uppercase

from thumbindex.decision.base import Choice, Noul, Request, Score, State

__all__ = ["MOST_OPTIONS", "Ballot", "averaged", "ballots", "tempered"]

# As many alternatives to a token as servers report; each option needs its letter among them.
MOST_OPTIONS = 20
# A model that was about to write something else ("The…") gives the labels next to nothing: that is no answer.
_LEAST_SHARE = 1e-3
_LEAST_PROBABILITY = 1e-12
# What may stand around a label in its token.
_AROUND = " \t\n▁Ġ.:()[]*\"'`"


@dataclass(frozen=True, slots=True)
class Ballot:
    """A question in one order of its options.

    Attributes:
        request: What is asked.
        keys: Of the question, in the order shown.
        labels: What the model answers with, one for each key.
    """

    request: Request
    keys: tuple[str, ...]
    labels: tuple[str, ...]

    def messages(self) -> list[tuple[str, str]]:
        """Role and text of what is sent where one token is to come back."""
        answer = " or ".join((", ".join(self.labels[:-1]), self.labels[-1]))
        return [
            ("system", "You answer with one of the labels you are given, and with nothing else."),
            ("user", f"{self._asked()}\n\nAnswer with {answer} only."),
        ]

    def json_messages(self) -> list[tuple[str, str]]:
        """Role and text of what is sent where the probabilities are to be written down."""
        form = ", ".join(f'"{label}": …' for label in self.labels)
        return [
            ("system", "You estimate probabilities. You answer with one JSON object and nothing else."),
            (
                "user",
                f"{self._asked()}\n\nHow probable is each answer? Write the JSON object {{{form}}}, "
                "each … a number from 0 to 1, together 1.",
            ),
        ]

    def from_logprobs(self, logprobs: Sequence[tuple[str, float]]) -> dict[str, float] | None:
        """The distribution over the keys by the log-probabilities of tokens; None where hardly any is a label.

        The tokens of one label are added up. Labels that are not there share what no token that is there has, but none
        gets more than the least of those.
        """
        found = dict.fromkeys(map(str.casefold, self.labels), 0.0)
        for token, logprob in logprobs:
            label = self._label(token)
            if label in found:
                found[label] += exp(logprob)
        if sum(found.values()) < _LEAST_SHARE:
            return None
        shown = [exp(logprob) for _, logprob in logprobs]
        share = (1 - sum(shown)) / max(1, list(found.values()).count(0.0))
        floor = max(_LEAST_PROBABILITY, min(*shown, share))
        return _normalised(dict(zip(self.keys, (p or floor for p in found.values()), strict=True)))

    def from_json(self, text: str) -> dict[str, float] | None:
        """The distribution over the keys by a JSON object of labels; None where it is none, or leaves one out."""
        try:
            said = json.loads(text[text.index("{") : text.rindex("}") + 1])
        except ValueError:
            return None
        if not isinstance(said, dict) or set(said) != set(self.labels):
            return None
        values = [said[label] for label in self.labels]
        numbers = all(isinstance(v, int | float) and not isinstance(v, bool) and isfinite(v) and v >= 0 for v in values)
        return _normalised(dict(zip(self.keys, values, strict=True))) if numbers and sum(values) > 0 else None

    def _label(self, token: str) -> str:
        """The label a token might be. A small letter is a word ("a"), a small word is still that word ("yes")."""
        bare = token.strip(_AROUND)
        return bare.casefold() if len(bare) > 1 or bare.isupper() else ""

    def _asked(self) -> str:
        parts = [_shown(self.request.state), self.request.question.instructions]
        match self.request.question:
            case Choice() as choice:
                parts += self._lettered(choice.options)
            case Noul() as noul:
                parts += [f"Yes means: {noul.when_true}"] if noul.when_true else []
                parts += [f"No means: {noul.when_false}"] if noul.when_false else []
            case Score() as score:
                parts += self._lettered(dict(zip(score.keys, score.levels, strict=True)))
        return "\n\n".join(part for part in parts if part)

    def _lettered(self, texts: Mapping[str, str]) -> list[str]:
        return ["\n".join(f"{label}. {texts[key]}" for label, key in zip(self.labels, self.keys, strict=True))]


def ballots(request: Request, orders: int) -> list[Ballot]:
    """The question in its order of options and, for 2 `orders`, in the opposite one as well."""
    keys = request.question.keys
    labels = ("Yes", "No") if isinstance(request.question, Noul) else tuple(ascii_uppercase[: len(keys)])
    if orders == 1:
        return [Ballot(request, keys, labels)]
    turned = tuple(reversed(labels)) if isinstance(request.question, Noul) else labels
    return [Ballot(request, keys, labels), Ballot(request, tuple(reversed(keys)), turned)]


def averaged(distributions: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of some distributions over the same keys, in the first one's order."""
    return {key: sum(each[key] for each in distributions) / len(distributions) for key in distributions[0]}


def tempered(probabilities: Mapping[str, float], temperature: float) -> dict[str, float]:
    """The distribution at another temperature: `pᵢ^(1/T) / Σ pⱼ^(1/T)`. Above 1 it is less sure."""
    return _normalised({key: max(p, _LEAST_PROBABILITY) ** (1 / temperature) for key, p in probabilities.items()})


def _normalised(values: Mapping[str, float]) -> dict[str, float]:
    total = sum(values.values())
    return {key: value / total for key, value in values.items()}


def _shown(state: State) -> str:
    if isinstance(state, str):
        return state
    return "\n\n".join(f"{name.capitalize()}: {text}" for name, text in state.items())
